/*
 * Lets the chat open without a network, and shows notifications. The build fills in the two constants (vite.config.ts).
 * Messages are never kept here: only the page itself and its own files.
 */

/** The files of this build. Those under /assets/ are never changed: another content has another name. */
const FILES = __FILES__;
const CACHE = `parley-${__VERSION__}`;

/** The page of the chat, the same for every address of it. It is kept with its headers: the policy has its nonce. */
const SHELL = '/';
const PAGES = /^\/($|c\/|new\/|search$|stories\/|settings(\/|$)|i\/)/;

addEventListener('install', (event) => {
  const wanted = [new Request(SHELL, { cache: 'reload' }), ...FILES];
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(wanted)));
});

// A new worker waits until the last page of the old build is closed: none loses its files while it is open.
addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))),
      ),
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (PAGES.test(pathname)) event.respondWith(fetch(request).catch(() => kept(SHELL)));
  } else if (FILES.includes(pathname)) {
    event.respondWith(
      pathname.startsWith('/assets/')
        ? kept(pathname).then((file) => file ?? fetch(request))
        : fetch(request).catch(() => kept(pathname)),
    );
  }
});

function kept(path) {
  return caches.open(CACHE).then((cache) => cache.match(path));
}

/** Notifications in words. Push comes while no page is there to translate. */
const WORDS = {
  en: {
    message: 'New message',
    image: 'Photo',
    video: 'Video',
    audio: 'Audio',
    doc: 'Document',
    gif: 'GIF',
    sticker: 'Sticker',
    location: 'Place',
    poll: 'Poll',
  },
  de: {
    message: 'Neue Nachricht',
    image: 'Foto',
    video: 'Video',
    audio: 'Audio',
    doc: 'Dokument',
    gif: 'GIF',
    sticker: 'Sticker',
    location: 'Ort',
    poll: 'Umfrage',
  },
};

addEventListener('push', (event) => {
  if (event.data) event.waitUntil(notify(event.data.json()));
});

addEventListener('message', (event) => {
  const { type, notification, icon, ...withdrawal } = event.data ?? {};
  if (type === 'notify') event.waitUntil(notify(notification, { icon, askedBy: event.source?.id }));
  if (type === 'withdraw') event.waitUntil(withdraw(withdrawal));
});

/** Nobody is told of what is seen anyway: in another window of the chat than the one that asks. */
async function notify(notification, { icon = '/icon-192.png', askedBy } = {}) {
  const pages = await chatPages();
  if (pages.some(({ id, visibilityState }) => id !== askedBy && visibilityState === 'visible')) return;
  const { conversationId, msgId, title = 'Parley', isSilent } = notification;
  await registration.showNotification(title, {
    body: bodyOf(notification),
    tag: conversationId,
    silent: isSilent,
    icon,
    data: { path: `/c/${conversationId}`, msgId },
  });
}

/** A newer message may have taken its place: that one stays. Ids of messages are in the order of their time. */
async function withdraw({ conversationId, msgId, isWithOlder }) {
  for (const shown of await registration.getNotifications({ tag: conversationId }))
    if (shown.data.msgId === msgId || (isWithOlder && shown.data.msgId < msgId)) shown.close();
}

/** What is left out, the person does not want to see on the screen of a locked phone. */
function bodyOf({ language, sender, kind, text }) {
  const words = WORDS[language] ?? WORDS.en;
  const what = words[kind] ?? words.message;
  const told = kind === 'text' && text ? text : text ? `${what}: ${text}` : what;
  return sender ? `${sender}: ${told}` : told;
}

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

async function open(path) {
  const [page] = await chatPages();
  if (!page) return clients.openWindow(path);
  await page.focus();
  page.postMessage({ type: 'open', path });
}

async function chatPages() {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages.filter(({ url }) => PAGES.test(new URL(url).pathname));
}
