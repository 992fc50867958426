import { fileOf } from '#testing/files.ts';
import type { Visit } from '../chromium.ts';
import { call, connectApplication, paintHills, uploadFile } from './chat-people.ts';
import { createBot, introduce } from './chat-scene.ts';
import type { Person, WebScene } from './web-scene.ts';

interface People {
  scene: WebScene;
  ada: Visit & Person;
  bob: Visit & Person;
  eve: Visit & Person;
  german: Person;
}

/** Conversations as after a few days of use. */
export async function populate({ scene, ada, bob, eve, german }: People) {
  const { origin } = scene;
  const { page } = ada;
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
  await createBot(origin, { name: 'Tides', username: 'tides_bot', description: 'High and low water.' });
  const pests = await createBot(origin, { name: 'Daily Bargains', username: 'bargains_bot' });
  for (const bot of [weather, pests]) await say(ada, bot, { content: '/today' });
  await weather.writes(
    ada.accountId,
    'Sunny, 18 °C at 1,800 m. No rain before Sunday: https://example.com/alps',
  );
  await ada.calls.post('/api/chat/blocks', { userId: pests.userId });

  const hills = await paintHills(scene);
  const photo = await uploadFile(bob.page, origin, 'image', hills, 'hills.jpg');
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

  const { groupId } = await ada.calls.post('/api/chat/groups', {
    name: 'Weekend in the mountains',
    description: 'Who comes, who drives, who brings what.',
    members: [bob.accountId, eve.accountId, german.accountId, weather.userId],
    photoUrl: await uploadFile(page, origin, 'image', await paintHills(scene, 150), 'group.jpg'),
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
      fileUrl: await uploadFile(eve.page, origin, 'image', await paintHills(scene, hue), `${hue}.jpg`),
      fileDetails: { albumId: 'album-of-eve' },
      ...(hue === 30 && { caption: 'Last summer' }),
    });
  await say(ada, eve, {
    type: 'audio',
    fileUrl: await uploadFile(page, origin, 'audio', fileOf('m4a'), 'voice.m4a'),
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

  const { conversationId: germanId } = await introduce(
    ada.calls,
    german.calls,
    'Bringst du die Straßenbahnhaltestellenfahrplanauskunft mit?',
  );
  await say(german, ada, { content: 'Sehr gern' });

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
    germanId,
    inviteToken: String(inviteToken),
  };
}
