import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { S3Config } from '#platform/config.ts';
import { fileOf } from './files.ts';
import { type ImportScene, importScene } from './import-scene.ts';
import { upload } from './upload-scene.ts';
import type { Person } from './world.ts';

async function uploads({ world }: ImportScene, person: Person, query: string, file: Buffer) {
  const answer = await upload(world, person, query, file);
  assert.equal(answer.statusCode, 201, answer.body);
  return answer.json().data as { url: string };
}

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A call of the chat that succeeds. */
export function does(person: Person, method: Method, url: string, body?: object) {
  return person.gets(method, `/api/chat${url}`, body);
}

/** A server on which people and a bot have used everything that an export has. */
export async function livedIn(t: TestContext, s3?: S3Config) {
  const scene = await importScene(t, s3);
  const { world } = scene;
  const [ada, bob] = [
    await scene.member('Ada', 'ada@example.com'),
    await scene.member('Bob', 'bob@example.com'),
  ];
  const [cleo, dora] = [await world.person('Cleo'), await world.person('Dora')];
  const bot = await world.bot({ name: 'Helper', username: 'helper_bot', owner: ada });
  const application = `/api/console/applications/${bot.appId}`;
  await ada.gets('POST', `${application}/redirect-uris`, { redirectUri: 'https://example.com/callback' });
  await ada.gets('POST', `${application}/simulator/messages`, { type: 'text', content: 'a trial' });
  await ada.deletes(await world.bot({ name: 'Old', username: 'old_bot', owner: ada }));
  const picture = await uploads(scene, ada, 'kind=image&fileName=cat.png', fileOf('png'));
  const film = await uploads(scene, ada, 'kind=video&fileName=film.mp4', fileOf('mp4'));
  const song = await uploads(scene, ada, 'kind=audio&fileName=song.mp3', fileOf('mp3'));
  const paper = await uploads(scene, ada, 'kind=document&fileName=paper.pdf', fileOf('pdf', 200_000));

  const first = await ada.writes(bob, 'the **first**');
  const { conversationId } = first;
  const at = (msgId: string) => `/conversations/${conversationId}/messages/${msgId}`;
  for (const content of [
    { type: 'image', fileUrl: picture.url, caption: 'a cat' },
    { type: 'video', fileUrl: film.url, thumbnailUrl: picture.url },
    { type: 'audio', fileUrl: song.url },
    { type: 'doc', fileUrl: paper.url, caption: 'to read' },
    { type: 'sticker', fileUrl: picture.url },
    { type: 'gif', fileUrl: 'https://example.com/a.gif' },
    { type: 'location', location: { latitude: 52.5, longitude: 13.4, name: 'Berlin' } },
    { type: 'text', content: 'an answer', replyToMsgId: first.msgId },
  ])
    await does(ada, 'POST', '/messages', { to: bob.accountId, ...content });
  const answer = await bob.writes(ada, 'edited soon');
  await does(bob, 'PATCH', at(answer.msgId), { text: 'edited' });
  await does(bob, 'PUT', `${at(first.msgId)}/reactions`, { emoji: ['👍', '🎉'] });
  await does(ada, 'PUT', `${at(first.msgId)}/reactions`, { emoji: ['👍'] });
  await does(bob, 'PUT', `${at(answer.msgId)}/pin`);
  const gone = await bob.writes(ada, 'taken back');
  await does(bob, 'DELETE', at(gone.msgId));
  const hidden = await bob.writes(ada, 'not for me');
  await does(ada, 'POST', `${at(hidden.msgId)}/hide`);
  await does(bob, 'PATCH', `/conversations/${conversationId}`, { isMuted: true });
  await does(ada, 'PUT', `/conversations/${conversationId}/retention`, { lifetimeDays: 90 });
  await ada.writes(bot, 'to the bot');
  await cleo.writes(ada, 'unwanted');
  await ada.blocks(cleo);

  const group = { name: 'Tea', description: 'For all', members: [bob.accountId, bot.accountId] };
  const { groupId } = await does(ada, 'POST', '/groups', group);
  await does(ada, 'PATCH', '/groups/members/role', { groupId, memberId: bob.accountId, isAdmin: true });
  await does(ada, 'POST', '/groups/messages', {
    ...{ groupId, type: 'text', content: 'hello @Bob' },
    mentionedUserIds: [bob.accountId],
  });
  const poll = { groupId, question: 'Lunch?', options: ['yes', 'no'] };
  const [emil, finn] = [await world.person('Emil'), await world.person('Finn')];
  await ada.writes(emil, 'come in');
  await does(ada, 'POST', '/groups/members', { groupId, memberIds: [emil.accountId] });
  await does(ada, 'POST', '/groups/members/remove', { groupId, memberId: emil.accountId });
  const { path } = await does(ada, 'POST', '/groups/links', { groupId, needsApproval: true });
  await does(finn, 'POST', '/groups/links/join', { token: path.split('#')[1] });
  const open = await does(ada, 'POST', '/polls', poll);
  const vote = (person: Person, asked: { msgId: string; poll: { options: { id: string }[] } }) =>
    does(person, 'POST', '/polls/vote', { messageId: asked.msgId, optionId: asked.poll.options[0]?.id });
  await vote(bob, open);
  const anonymous = await does(ada, 'POST', '/polls', { ...poll, isAnonymous: true });
  await vote(bob, anonymous);
  const closed = await does(ada, 'POST', '/polls', { ...poll, question: 'Tea?' });
  await does(ada, 'POST', '/polls/close', { messageId: closed.msgId });
  await does(ada, 'POST', '/stories', { type: 'image', imageUrl: picture.url });
  await does(ada, 'POST', '/stories', { type: 'text', text: 'my day' });
  await dora.writes(bob, 'before I leave');
  await dora.calls('POST', '/api/auth/account/delete', { email: `${dora.accountId}@example.com` });
  return { scene, ada, bob, bot, conversationId, groupId, anonymous, paper, vote };
}
