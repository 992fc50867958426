import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatMessage } from '#contract/chat.ts';
import { privateConversationId } from '#platform/ids.ts';
import { fileOf } from '#testing/files.ts';
import { oneAfterTheOther, uploadScene } from '#testing/upload-scene.ts';
import { createWorld, type Person } from '#testing/world.ts';

type Source = Pick<ChatMessage, 'conversationId' | 'msgId'>;

async function forwards(person: Person, { conversationId, msgId }: Source, more: object) {
  const body = { conversationId, msgId, ...more };
  const answer = await person.calls('POST', '/api/chat/messages/forward', body);
  return { status: answer.status, reason: answer.reason, data: answer.body.data as ChatMessage };
}

test('a message of any kind is forwarded unchanged, and names its first author', async (t) => {
  await using world = await createWorld();
  const [ada, bob, carol] = await world.people('Ada', 'Bob', 'Carol');
  const bot = await world.bot({ name: 'Helper' });
  await ada.writes(bot, 'hi');
  const groupId = await ada.makesGroup();
  const picture = { type: 'image', fileUrl: 'https://example.com/a.jpg', caption: 'The sea' };
  const place = { type: 'location', location: { latitude: 1, longitude: 2, name: 'Here' } };
  const people = [{ userId: ada.accountId, name: 'Ada', isBot: false, isDeleted: false }];
  const received: unknown[] = [];
  t.after(world.live.subscribe(carol.accountId, (event) => received.push(event)));
  for (const content of [{ type: 'text', content: 'hello' }, picture, place]) {
    const message = await bob.writes(ada, content);
    const { status, data } = await forwards(ada, message, { to: carol.accountId });
    assert.equal(status, 201);
    const expected = {
      ...message,
      msgId: data.msgId,
      conversationId: privateConversationId(ada.accountId, carol.accountId),
      from: ada.accountId,
      forwardedFrom: { name: 'Bob' },
    };
    assert.deepEqual(data, expected);
    assert.deepEqual(received.at(-1), { type: 'message', data: { ...expected, people } });
    assert.deepEqual((await carol.reads(ada))[0], expected);
    // Forwarding it again also names the first author, unless names are left out.
    const again = await forwards(carol, data, { to: bob.accountId });
    assert.deepEqual(again.data.forwardedFrom, { name: 'Bob' });
    const unnamed = await forwards(carol, data, { to: bob.accountId, isAnonymous: true });
    assert.deepEqual(unnamed.data.forwardedFrom, {});
    assert.equal((await forwards(ada, message, { groupId })).status, 201);
  }
  const msgId = await bot.writes(ada, 'by a bot');
  const conversationId = privateConversationId(ada.accountId, bot.accountId);
  const byBot = await forwards(ada, { conversationId, msgId }, { groupId });
  assert.deepEqual(byBot.data.forwardedFrom, { name: 'Helper', username: bot.username });
});

test('file details are forwarded but not the album: files forwarded together form a new one', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const file = { fileUrl: 'https://example.com/a' };
  const voice = await bob.writes(ada, {
    type: 'audio',
    ...file,
    fileDetails: { durationMs: 1500, waveform: [1, 2] },
  });
  const film = await bob.writes(ada, {
    type: 'video',
    ...file,
    thumbnailUrl: 'https://example.com/b.jpg',
    fileDetails: { albumId: 'first', durationMs: 2000, width: 640, height: 360 },
  });
  const detailsOf = async (source: Source, more: object = {}) =>
    (await forwards(ada, source, { to: bob.accountId, ...more })).data.fileDetails;
  assert.deepEqual(await detailsOf(voice), { durationMs: 1500, waveform: [1, 2] });
  assert.deepEqual(await detailsOf(film), { durationMs: 2000, width: 640, height: 360 });
  const inAlbum = { durationMs: 2000, width: 640, height: 360, albumId: 'second' };
  assert.deepEqual(await detailsOf(film, { albumId: 'second' }), inAlbum);
  // A text cannot be in an album.
  assert.deepEqual(await detailsOf(voice, { albumId: 'second' }), { durationMs: 1500, waveform: [1, 2] });
});

test('a bot gets a forwarded message like any other, without a field that the contract does not know', async () => {
  await using world = await createWorld();
  const [ada, bob, bot] = [await world.person('Ada'), await world.person('Bob'), await world.bot()];
  const { data } = await forwards(ada, await bob.writes(ada, 'hello'), { to: bot.accountId });
  const { body } = await bot.calls('GET', '/v1/events');
  assert.deepEqual(body.data.events[0].event.data, {
    msgId: data.msgId,
    type: 'text',
    textMsg: 'hello',
    from: ada.accountId,
    chatId: ada.accountId,
    sentAt: data.sentAt,
  });
});

test('a forwarded poll is a new poll without votes', async () => {
  await using world = await createWorld();
  const [ada, bob, carol] = [await world.person(), await world.person(), await world.person()];
  await bob.writes(ada, 'hi');
  const asked = { receiverId: bob.accountId, question: 'Tea?', options: ['Yes', 'No'] };
  const { body } = await ada.calls('POST', '/api/chat/polls', asked);
  const { msgId, poll } = body.data;
  const vote = (voter: Person, messageId: string, optionId: string) =>
    voter.calls('POST', '/api/chat/polls/vote', { messageId, optionId });
  await vote(bob, msgId, poll.options[0].id);
  const conversationId = privateConversationId(ada.accountId, bob.accountId);
  const { data } = await forwards(ada, { conversationId, msgId }, { to: carol.accountId });
  assert.deepEqual(
    [data.poll?.question, data.poll?.totalVotes, data.poll?.options.map(({ text }) => text)],
    ['Tea?', 0, ['Yes', 'No']],
  );
  assert.notEqual(data.poll?.id, poll.id);
  assert.equal((await vote(carol, data.msgId, data.poll?.options[1]?.id as string)).status, 200);
  const [original] = (await bob.reads(ada)).filter((message) => message.msgId === msgId);
  assert.equal(original?.poll?.totalVotes, 1);
});

test('only visible messages can be forwarded, only to conversations where one may write, and once per key', async () => {
  await using world = await createWorld();
  const [ada, bob, eve] = [await world.person(), await world.person(), await world.person()];
  const message = await bob.writes(ada, 'for Ada');
  const to = { to: eve.accountId };
  const refused = async (person: Person, source: Source, target: object) => {
    const { status, reason } = await forwards(person, source, target);
    return [status, reason];
  };
  assert.deepEqual(await refused(eve, message, { to: bob.accountId }), [404, 'conversation.unknown']);
  assert.deepEqual(await refused(ada, { ...message, msgId: world.newId('msg') }, to), [
    404,
    'conversation.no-message',
  ]);
  for (const target of [{}, { ...to, groupId: world.newId('grp') }])
    assert.deepEqual(await refused(ada, message, target), [400, 'field.needs-one-of']);
  await eve.blocks(ada);
  assert.deepEqual(await refused(ada, message, to), [403, 'recipient.not-taking']);
  await eve.unblocks(ada);
  const path = `/api/chat/conversations/${message.conversationId}/messages/${message.msgId}`;
  await ada.calls('POST', `${path}/hide`);
  assert.deepEqual(await refused(ada, message, to), [404, 'conversation.no-message']);
  const key = { 'idempotency-key': 'once' };
  const body = { ...to, conversationId: message.conversationId, msgId: message.msgId };
  const [first, second] = [
    await bob.calls('POST', '/api/chat/messages/forward', body, key),
    await bob.calls('POST', '/api/chat/messages/forward', body, key),
  ];
  assert.equal(first.status, 201);
  assert.deepEqual(second.body.data, first.body.data);
  await bob.calls('DELETE', path);
  assert.deepEqual(await refused(bob, message, to), [404, 'conversation.no-message']);
  assert.equal((await eve.reads(bob)).length, 1);
});

test('a file stays while the message or a forwarded copy uses it', async (t) => {
  const { world, uploads, get } = await uploadScene(t);
  const [ada, bob, carol] = [await world.person(), await world.person(), await world.person()];
  const deletes = ({ conversationId, msgId }: Source, person: Person) =>
    person.calls('DELETE', `/api/chat/conversations/${conversationId}/messages/${msgId}`);
  for (const isOld of [false, true]) {
    const { url } = await uploads(ada, 'kind=image&fileName=a.png', fileOf('png'));
    const message = await ada.writes(bob, { type: 'image', fileUrl: url });
    if (isOld) {
      await world.db`delete from media_uses`;
      await world.db`update media set is_counted = false`;
    }
    const { data } = await forwards(bob, message, { to: carol.accountId });
    assert.equal(data.fileUrl, url);
    await deletes(data, bob);
    assert.equal((await get(url)).statusCode, 200, 'the first one has it');
    const { data: other } = await forwards(bob, message, { to: carol.accountId });
    await deletes(message, ada);
    assert.equal((await get(url)).statusCode, 200, 'the forwarded one has it');
    await deletes(other, bob);
    assert.equal((await get(url)).statusCode, isOld ? 200 : 404);
  }
});

test('a message that is deleted while it is forwarded keeps no file', async (t) => {
  const { world, uploads } = await uploadScene(t);
  const [ada, bob, carol] = [await world.person(), await world.person(), await world.person()];
  const { url } = await uploads(ada, 'kind=image&fileName=a.png', fileOf('png'));
  const message = await ada.writes(bob, { type: 'image', fileUrl: url });
  const path = `/api/chat/conversations/${message.conversationId}/messages/${message.msgId}`;
  const [deleted, forwarded] = await oneAfterTheOther(
    world,
    () => ada.calls('DELETE', path),
    () => forwards(bob, message, { to: carol.accountId }),
  );
  assert.deepEqual([deleted.status, forwarded.status], [200, 404]);
  assert.equal((await world.db`select from media_uses`).length, 0);
});
