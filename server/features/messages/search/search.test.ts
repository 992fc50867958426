import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundMessages } from '#contract/chat/search.ts';
import { createWorld, type Person } from '#testing/world.ts';
import { holds, wordsOf } from './search.ts';

/** Continues until there is nothing left. */
async function search(person: Person, query: Record<string, string>): Promise<string[]> {
  const found: string[] = [];
  for (let before: string | undefined = '', rounds = 0; before !== undefined; rounds++) {
    assert.ok(rounds < 100, 'it does not end');
    const asked = new URLSearchParams({ ...query, ...(before && { before }) });
    const { status, body } = await person.calls('GET', `/api/chat/search?${asked}`);
    assert.equal(status, 200, JSON.stringify(body));
    const { messages, nextBefore } = body.data as FoundMessages;
    found.push(...messages.map(({ content, caption, type }) => content ?? caption ?? type));
    before = nextBefore;
  }
  return found;
}

test('words are found anywhere in a message, whatever their case, accents and order', () => {
  const body = { content: 'Wir treffen uns im Café an der Hauptstraße' };
  for (const words of ['café', 'CAFE', 'strasse cafe', 'haupt', 'ＣＡＦＥ']) {
    assert.ok(holds(body, wordsOf(words)), words);
  }
  assert.ok(!holds(body, wordsOf('cafe monday')));
  for (const [text, words] of [
    ['KAPI', 'kapı'],
    ['Isparta', 'ısparta'],
    ['ΟΔΟΣΤΡΩΤΗΡΑΣ', 'οδός'],
    ['οδοστρωτήρας', 'ΟΔΟΣ'],
    ['STRAẞE', 'straße'],
    ['Donau\u00addampf\u200bschiff', 'donaudampfschiff'],
    ['می\u200cخواهم', 'میخواهم'],
    ['Ju\u0308rgen', '\u200bjürgen\ufeff'],
  ] as const)
    assert.ok(holds({ content: text }, wordsOf(words)), words);
  assert.ok(holds({ location: { latitude: 1, longitude: 2, address: '1 Main Street' } }, wordsOf('main')));
});

test('a person finds what was written in all conversations, the newest first, and in one of them', async () => {
  await using world = await createWorld();
  const [ada, bob, eve] = [await world.person('Ada'), await world.person('Bob'), await world.person('Eve')];
  await ada.writes(bob, 'The key is under the mat');
  world.clock.advance({ hours: 1 });
  const { conversationId } = await eve.writes(ada, 'Which KEY?');
  world.clock.advance({ hours: 1 });
  await ada.writes(bob, { type: 'image', fileUrl: 'https://cdn.example.com/a.jpg', caption: 'this key' });
  await bob.writes(eve, 'a key that Ada never sees');
  assert.deepEqual(await search(ada, { words: 'key' }), [
    'this key',
    'Which KEY?',
    'The key is under the mat',
  ]);
  assert.deepEqual(await search(ada, { words: 'key', conversationId }), ['Which KEY?']);
  assert.deepEqual(await search(ada, { kind: 'image' }), ['this key']);
  assert.deepEqual(await search(ada, { from: eve.accountId }), ['Which KEY?']);
  const noon = String(world.clock.now() - 90 * 60_000);
  assert.deepEqual(await search(ada, { words: 'key', since: noon }), ['this key', 'Which KEY?']);
  assert.deepEqual(await search(ada, { words: 'key', until: noon }), ['The key is under the mat']);
  assert.deepEqual(await search(ada, { words: 'nowhere' }), []);
});

test('many conversations of unequal length: everything is found, in order, once', async () => {
  await using world = await createWorld();
  const ada = await world.person('Ada');
  const others = [await world.person(), await world.person(), await world.person()] as const;
  const expected: string[] = [];
  for (const other of others) await ada.writes(other, 'hello');
  for (let i = 0; i < 150; i++) {
    const other = i % 10 === 0 ? others[i % 2 ? 1 : 2] : others[0];
    world.clock.advance({ seconds: 1 });
    await other.writes(ada, `number ${i}`);
    expected.unshift(`number ${i}`);
  }
  assert.deepEqual(await search(ada, { words: 'number' }), expected);
});

test('what was shared in a conversation: pictures and videos, and texts with a link', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const sends = async (content: Parameters<Person['writes']>[1]) => {
    world.clock.advance({ seconds: 1 });
    return ada.writes(bob, content);
  };
  const fileUrl = 'https://cdn.example.com/a';
  const { conversationId } = await sends({ type: 'image', fileUrl, caption: 'a picture' });
  await sends({ type: 'video', fileUrl, thumbnailUrl: fileUrl, caption: 'a video of www.example.com' });
  await sends({ type: 'doc', fileUrl, caption: 'a paper' });
  for (const text of [
    'see https://example.com',
    '[here](http://example.com)',
    'write to ada@www.example.com',
  ])
    await sends(text);
  assert.deepEqual(await search(ada, { kind: 'media', conversationId }), [
    'a video of www.example.com',
    'a picture',
  ]);
  assert.deepEqual(await search(bob, { kind: 'link', conversationId }), [
    '[here](http://example.com)',
    'see https://example.com',
    'a video of www.example.com',
  ]);
  assert.deepEqual(await search(bob, { kind: 'link', words: 'see' }), ['see https://example.com']);
});

test('a poll is found with its votes, as the thread shows it', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  await ada.writes(bob, 'hello');
  const asked = { receiverId: bob.accountId, question: 'Tea?', options: ['yes', 'no'] };
  const { body } = await ada.calls('POST', '/api/chat/polls', asked);
  const { msgId, poll } = body.data;
  await bob.calls('POST', '/api/chat/polls/vote', { messageId: msgId, optionId: poll.options[0].id });
  const found = await ada.calls('GET', '/api/chat/search?words=tea');
  const [shown] = await ada.reads(bob);
  assert.equal(shown?.poll?.totalVotes, 1);
  assert.deepEqual(found.body.data.messages, [shown]);
});

test('deleted and hidden messages and those in conversations of others are not found', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  await bob.writes(ada, 'secret one');
  const conversation = await bob.writes(ada, 'secret two');
  const path = `/api/chat/conversations/${conversation.conversationId}`;
  const hidden = await bob.writes(ada, 'secret three');
  await ada.calls('POST', `${path}/messages/${hidden.msgId}/hide`);
  const gone = await bob.writes(ada, 'secret four');
  await bob.calls('DELETE', `${path}/messages/${gone.msgId}`);
  assert.deepEqual(await search(ada, { words: 'secret' }), ['secret two', 'secret one']);
  assert.deepEqual(await search(bob, { words: 'secret' }), ['secret three', 'secret two', 'secret one']);
  await ada.calls('DELETE', path);
  assert.deepEqual(await search(ada, { words: 'secret' }), []);
  const stranger = await world.person();
  const { conversationId } = conversation;
  const asked = new URLSearchParams({ words: 'secret', conversationId });
  assert.equal((await stranger.calls('GET', `/api/chat/search?${asked}`)).status, 404);
  const nothing = await ada.calls('GET', '/api/chat/search?words=%20');
  assert.deepEqual([nothing.status, nothing.reason], [400, 'field.required']);
});
