import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openWindow } from '../chromium.ts';
import { call, connectApplication, paintHills, uploadImage } from './chat-people.ts';
import { createBot, introduce } from './chat-scene.ts';
import { checkScreen, type Person, photograph, startWebScene } from './web-scene.ts';

/* Every screen of the chat, in all views; `screenshots.ts` takes the arguments. */
const [folder = join(tmpdir(), 'parley-screenshots'), type = 'jpeg', ...wanted] = process.argv.slice(2);
const directory = join(folder, 'chat');
await mkdir(directory, { recursive: true });

await using scene = await startWebScene();
const { origin } = scene;
await using ada = await scene.enter('/');
await using bob = await scene.enter('/', { name: 'Bob Kahn' });
await using eve = await scene.enter('/', { name: 'Evelyn Boyd Granville' });
await using german = await scene.enter('/', { name: 'Grete Hermann', locale: 'de-DE' });
await using stranger = await openWindow(scene.chromium, { javaScriptEnabled: true, baseURL: origin });
const { page } = ada;

await shoot('first-visit', '/');
const { groupId, privateId, broadcastId, mediaId, wideId, inviteToken } = await populate();

await shoot('conversations', '/');
await shoot('new-menu', '/', () => page.getByRole('button', { name: 'New chat' }).click());
await shoot('account-menu', '/', () => page.getByRole('button', { name: 'Menu' }).click());
await shoot('entry-menu', '/', () =>
  page
    .getByRole('button', { name: /^Actions for the conversation/ })
    .first()
    .click({ force: true }),
);
await shoot('member-menu', `/c/${groupId}/info`, () =>
  page.getByRole('button', { name: 'Actions for Bob Kahn' }).click(),
);
await shoot('private', `/c/${privateId}`);
await shoot('group', `/c/${groupId}`);
await shoot('group-details', `/c/${groupId}/info`);
await shoot('broadcast-details', `/c/${broadcastId}/info`);
await shoot('person-details', `/c/${privateId}/info`);
await shoot('media', `/c/${mediaId}`);
await shoot('viewer', `/c/${mediaId}`, () =>
  page
    .getByRole('button', { name: /^Enlarge the picture/ })
    .first()
    .click(),
);
await shoot('message-menu', `/c/${mediaId}`, () =>
  page.getByRole('log').getByText('See you there').click({ button: 'right' }),
);
await shoot('reactions-who', `/c/${mediaId}`, async () => {
  await page.getByRole('log').getByText('See you there').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Who reacted' }).click();
});
await shoot('emoji', `/c/${mediaId}`, async () => {
  await page.getByRole('button', { name: 'Emoji', exact: true }).click();
  await page.getByRole('dialog', { name: 'Emoji' }).getByRole('heading').first().waitFor();
});
await shoot('report', `/c/${mediaId}/info`, () => page.getByRole('button', { name: 'Report' }).click());
await shoot('forward', `/c/${mediaId}`, async () => {
  await page.getByRole('log').getByText('See you there').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Forward' }).click();
});
await shoot('long-names', `/c/${wideId}`);
await shoot('long-names-details', `/c/${wideId}/info`);
await shoot('shortcuts', `/c/${groupId}`, () => page.getByRole('region', { name: 'Messages' }).press('?'));
await shoot('offline', `/c/${groupId}`, async () => {
  await page.context().setOffline(true);
  await page
    .getByText(/No connection|Connecting/)
    .first()
    .waitFor();
});
await page.context().setOffline(false);
await page.route('**/messages?*', (route) => route.fulfill({ status: 500, body: '' }));
await page.route('**/messages', (route) => route.fulfill({ status: 500, body: '' }));
await shoot('thread-fault', `/c/${groupId}`, () =>
  page.getByRole('button', { name: 'Try again' }).first().waitFor(),
);
await page.unrouteAll();
await shoot('find-bot', '/new/bot?username=weather_bot');
await shoot('new-group', '/new/group');
await shoot('new-broadcast', '/new/broadcast');
await shoot('new-poll', `/c/${groupId}`, async () => {
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByRole('menuitem', { name: 'Poll' }).click();
  await page.getByLabel('Question').fill('Where do we meet?');
});
await shoot('search', '/search?words=the');
await shoot('search-nothing', `/search?in=${groupId}&words=nowhere`);
await shoot('story', `/stories/${bob.accountId}`);
await shoot('own-story', `/stories/${ada.accountId}`);
await shoot('new-story', '/stories/new');
await shoot('settings', '/settings');
for (const name of [
  'account',
  'invite',
  'notifications',
  'privacy',
  'media',
  'appearance',
  'applications',
  'blocked',
]) {
  await shoot(`settings-${name}`, `/settings/${name}`);
}
await shoot('application', '/settings/applications', async () => {
  await page.getByRole('button', { name: /Travel Album/ }).click();
});
await shoot('invitation', `/i/${inviteToken}`);
await shoot('invitation-gone', `/i/${'x'.repeat(24)}`);
await shoot('missing', '/c/grp_nothing');
await shoot('german', `/c/${groupId}`, undefined, german.page);
await shoot('german-details', `/c/${groupId}/info`, undefined, german.page);
await shoot('sign-in', '/', undefined, stranger.page);
await shoot('invited', `/i/${inviteToken}`, undefined, stranger.page);
{
  await using gated = await startWebScene({ SIGN_UPS: 'invitation' });
  await using outsider = await openWindow(gated.chromium, {
    javaScriptEnabled: true,
    baseURL: gated.origin,
  });
  await shoot(
    'sign-up-gate',
    '/',
    () => outsider.page.getByRole('button', { name: 'Create an account' }).first().click(),
    outsider.page,
  );
}

/** Opens a screen, waits until it stands, checks it and takes its pictures. */
async function shoot(
  name: string,
  path: string,
  prepare: () => Promise<void> = async () => {},
  window: Page = page,
): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  try {
    await window.goto(path);
    await window.locator('h1, h2').first().waitFor();
    await window.locator('[aria-busy=true], .mantine-Loader-root').first().waitFor({ state: 'detached' });
    await prepare();
    await window.waitForTimeout(400);
    await photograph(window, directory, name, type as 'jpeg' | 'png', (view) =>
      checkScreen(window, 'any').catch((fault) => report(`${name}, ${view}`, fault)),
    );
  } catch (fault) {
    report(name, fault);
  }
  console.log(name);
}

/** The other screens are looked at all the same. */
function report(where: string, fault: unknown): void {
  process.exitCode = 1;
  console.error(`${where}: ${fault instanceof Error ? fault.message : fault}`);
}

/** Conversations as some days of use leave them. */
async function populate() {
  const say = (who: Person, to: Person | { userId: string }, content: object) =>
    who.calls.post('/api/chat/messages', {
      to: 'userId' in to ? to.userId : to.accountId,
      ...('type' in content ? content : { type: 'text', ...content }),
    });
  const { token: inviteToken } = await bob.calls.post('/api/auth/invite-link', {});
  await ada.calls.post('/api/auth/invite-link', {});

  const weather = await createBot(origin, {
    name: 'Weather of the Alps',
    description: 'Tells you every morning what the mountains are like.',
  });
  const pests = await createBot(origin, { name: 'Daily Bargains', username: 'bargains_bot' });
  for (const bot of [weather, pests]) await say(ada, bot, { content: '/today' });
  await weather.writes(
    ada.accountId,
    'Sunny, 18 °C at 1,800 m. No rain before Sunday: https://example.com/alps',
  );
  await ada.calls.post('/api/chat/blocks', { userId: pests.userId });

  const hills = await paintHills(scene);
  const photo = await uploadImage(bob.page, origin, hills, 'hills.jpg');
  await say(ada, bob, { content: 'Hello Bob! Are the mountains still there?' });
  const picture = await say(bob, ada, {
    type: 'image',
    fileUrl: photo,
    caption: 'They are. This morning, from the hut.',
  });
  await say(ada, bob, { content: 'What a view! When do we go?', replyToMsgId: picture['msgId'] });
  await say(bob, ada, {
    type: 'location',
    location: { latitude: 46.5576, longitude: 7.8925, name: 'Hut above Wengen', address: 'Lauterbrunnen' },
  });
  const last = await say(bob, ada, { content: 'Saturday at seven. I bring the tea.' });

  const { groupId } = await ada.calls.post('/api/chat/groups', {
    name: 'Weekend in the mountains',
    description: 'Who comes, who drives, who brings what.',
    members: [bob.accountId, eve.accountId, german.accountId, weather.userId],
    photoUrl: await uploadImage(page, origin, await paintHills(scene, 150), 'group.jpg'),
  });
  const write = (who: Person, content: object) =>
    who.calls.post('/api/chat/groups/messages', { groupId, type: 'text', ...content });
  await weather.extendedBy('incoming_webhooks');
  for (const name of ['Avalanche warnings of the canton', 'Trains'])
    await ada.calls.post('/api/chat/groups/incoming-webhooks', { groupId, botId: weather.userId, name });
  const question = await write(eve, { content: 'Is there a train back on Sunday evening?' });
  await write(bob, { content: 'At 18:04 and at 20:04.', replyToMsgId: question['msgId'] });
  const { msgId, poll } = (await ada.calls.post('/api/chat/polls', {
    groupId,
    question: 'Which hut do we sleep in?',
    options: ['The old one by the lake', 'The new one at the pass', 'In tents'],
  })) as { msgId: string; poll: { options: { id: string }[] } };
  for (const [who, choice] of [
    [bob, 0],
    [eve, 0],
    [ada, 1],
  ] as const) {
    await who.calls.post('/api/chat/polls/vote', { messageId: msgId, optionId: poll.options[choice]?.id });
  }
  await write(bob, {
    content: '@Ada Lovelace you bring the map, I bring the cheese.',
    mentionedUserIds: [ada.accountId],
  });

  const { groupId: broadcastId } = await ada.calls.post('/api/chat/groups', {
    name: 'Notes on the engine',
    description: 'One letter a week.',
    members: [bob.accountId, eve.accountId],
    isBroadcast: true,
  });
  await ada.calls.post('/api/chat/groups/messages', {
    groupId: broadcastId,
    type: 'text',
    content: 'The first letter: what the engine weaves.',
  });

  const media = await say(eve, ada, {
    content: 'The **plan**:\n- up by train\n- down on foot, see https://example.com/map',
  });
  const mediaId = String(media['conversationId']);
  for (const hue of [30, 120, 200, 300])
    await say(eve, ada, {
      type: 'image',
      fileUrl: await uploadImage(eve.page, origin, await paintHills(scene, hue), `${hue}.jpg`),
      fileDetails: { albumId: 'album-of-eve' },
      ...(hue === 30 && { caption: 'Last summer' }),
    });
  await say(ada, eve, {
    type: 'audio',
    fileUrl: await uploadSound(),
    fileDetails: { durationMs: 12_000, waveform: Array.from({ length: 56 }, (_, i) => 20 + ((i * 37) % 80)) },
  });
  const wrong = await say(eve, ada, { content: 'At eigth' });
  await eve.calls.patch(`/api/chat/conversations/${mediaId}/messages/${wrong['msgId']}`, {
    text: 'At eight',
  });
  const gone = await say(eve, ada, { content: 'Or not' });
  await eve.calls.delete(`/api/chat/conversations/${mediaId}/messages/${gone['msgId']}`);
  const met = await say(ada, eve, { content: 'See you there' });
  const reactions = `/api/chat/conversations/${mediaId}/messages/${met['msgId']}/reactions`;
  await eve.calls.put(reactions, { emoji: ['👍', '🎉', '⛰️'] });
  await ada.calls.put(reactions, { emoji: ['🎉'] });
  await say(ada, eve, { content: '🏔️' });
  await ada.calls.put(`/api/chat/conversations/${mediaId}/messages/${met['msgId']}/pin`, {});
  await ada.calls.put(`/api/chat/conversations/${mediaId}/retention`, { lifetimeDays: 7 });
  for (const read of [media, met])
    await eve.calls.post(`/api/chat/conversations/${mediaId}/read`, { msgId: read['msgId'] });

  const wide = await scene.person('Wilhelmina'.repeat(6));
  await introduce(wide.calls, ada.calls, 'Who has the longest name?');
  const { groupId: wideId } = await wide.calls.post('/api/chat/groups', {
    name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
    members: [ada.accountId],
  });
  await wide.calls.post('/api/chat/groups/messages', {
    groupId: wideId,
    type: 'text',
    content: 'a'.repeat(300),
  });

  await bob.calls.post('/api/chat/stories', { type: 'image', imageUrl: photo });
  await bob.calls.post('/api/chat/stories', { type: 'text', text: 'Tomorrow: the pass.' });
  await eve.calls.post('/api/chat/stories', { type: 'text', text: 'Numbers everywhere.' });
  await ada.calls.post('/api/chat/stories', {
    type: 'text',
    text: 'Packing. Three books are enough. Or four?',
  });

  await using album = await connectApplication(page, origin, 'Travel Album', 'profile stories:write');
  await album.gets('/oauth/userinfo', album.accessToken);
  await call(origin, album.accessToken, 'stories', { type: 'text', text: 'From my album' });
  await call(origin, album.accessToken, 'polls', {});
  return {
    groupId: String(groupId),
    privateId: String(last['conversationId']),
    broadcastId: String(broadcastId),
    mediaId,
    wideId: String(wideId),
    inviteToken: String(inviteToken),
  };
}

/** A second of silence: what is seen of a voice message comes with it. */
async function uploadSound(): Promise<string> {
  const rate = 8_000;
  const wave = Buffer.alloc(44 + rate, 128);
  wave.write('RIFF', 0);
  wave.writeUInt32LE(36 + rate, 4);
  wave.write('WAVEfmt ', 8);
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate],
    [40, rate],
  ] as const)
    wave.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    wave.writeUInt16LE(value, at);
  wave.write('data', 36);
  const answer = await page.request.post('/api/chat/media?kind=audio&fileName=voice.wav', {
    data: wave,
    headers: { origin, 'content-type': 'audio/wav' },
  });
  return (await answer.json()).data.url;
}
