/*
 * Lets the chat open offline, and shows notifications. The build fills in the constants (build.ts).
 * Messages are never cached: only the page itself and its files.
 */

/** The files of this build. Those under /assets/ never change: new content gets a new name. */
const FILES = __FILES__;
const CACHE = `parley-${__VERSION__}`;

/** The chat's page, the same for all of its URLs. It is cached with its headers: the policy contains its nonce. */
const SHELL = '/';
const PAGES = new RegExp(__PAGES__);

addEventListener('install', (event) => {
  const wanted = [new Request(SHELL, { cache: 'reload' }), ...FILES];
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(wanted)));
});

// A new worker waits until the last page of the old build is closed, so that no open page loses its files.
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

/** Texts of notifications. With push, no page is open that could translate them. */
const WORDS = __WORDS__;

addEventListener('push', (event) => {
  if (event.data) event.waitUntil(notify(event.data.json()));
});

addEventListener('message', (event) => {
  const { type, notification, icon, ...withdrawal } = event.data ?? {};
  if (type === 'notify') event.waitUntil(notify(notification, { icon, askedBy: event.source?.id }));
  if (type === 'withdraw') event.waitUntil(withdraw(withdrawal));
});

/** The message of each conversation that was shown last: an open page and a push message may both tell of it. */
const latest = new Map();

/**
 * Shows a notification, unless another window of the chat is visible. One that replaces that of an earlier message is heard again.
 */
async function notify(notification, { icon = '/icon-192.png', askedBy } = {}) {
  const { conversationId, msgId, title = 'Parley', isSilent } = notification;
  const options = { body: bodyOf(notification), icon };
  const pages = await chatPages();
  if (pages.some(({ id, visibilityState }) => id !== askedBy && visibilityState === 'visible')) {
    if (!askedBy) await showBriefly(title, options);
    return;
  }
  const isRepeated = latest.get(conversationId) === msgId;
  latest.set(conversationId, msgId);
  await registration.showNotification(title, {
    ...options,
    tag: conversationId,
    silent: isSilent,
    renotify: !isSilent && !isRepeated,
    data: { path: `/c/${conversationId}`, msgId },
  });
}

/** Safari ends a subscription after three push messages without a notification, even if the chat is visible. */
async function showBriefly(title, options) {
  const subscription = await registration.pushManager.getSubscription();
  if (!subscription?.endpoint.startsWith('https://web.push.apple.com/')) return;
  const tag = 'brief';
  await registration.showNotification(title, { ...options, tag, silent: true });
  for (const shown of await registration.getNotifications({ tag })) shown.close();
}

/** A newer message may have replaced the notification, which then stays. Message ids sort by time. */
async function withdraw({ conversationId, msgId, isWithOlder }) {
  for (const shown of await registration.getNotifications({ tag: conversationId }))
    if (shown.data.msgId === msgId || (isWithOlder && shown.data.msgId < msgId)) shown.close();
}

/** Parts that the person does not want on a locked screen are missing. */
function bodyOf({ language, sender, kind, text }) {
  const words = WORDS[language] ?? WORDS.en;
  const what = words[kind] ?? words.message;
  const told = kind === 'text' && text ? text : text ? `${what}: ${text}` : what;
  return sender ? `${isolate(sender)}: ${told}` : told;
}

/** A name in Arabic or Hebrew would reorder what follows. */
function isolate(name) {
  return /[\u0590-\uffff]/.test(name) ? `\u2068${name}\u2069` : name;
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
