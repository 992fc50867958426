import assert from 'node:assert/strict';
import { test } from 'node:test';
import { damage, loseKey } from '#testing/damage.ts';
import { createWorld, type Person, type World } from '#testing/world.ts';

const BODY = { table: 'messages', column: 'body' };
const message = (value: string) => ({ column: 'msg_id', value });
const PAGE = '/api/chat/conversations';

async function gets(person: Person, url: string) {
  const { status, body } = await person.calls('GET', url);
  assert.equal(status, 200, `${url}: ${JSON.stringify(body)}`);
  return body.data;
}

async function posts(person: Person, url: string, body: object) {
  const answer = await person.calls('POST', url, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.data;
}

async function exportOf(world: World, person: Person) {
  const answer = await world.app.inject({ url: '/api/auth/export', headers: { cookie: person.cookie } });
  assert.equal(answer.statusCode, 200);
  return answer.json();
}

test('an unreadable message affects only itself: on the page, in the list, as a quote and in an export', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const before = await ada.writes(bob, 'before');
  const lost = await ada.writes(bob, 'lost');
  const quoting = await bob.writes(ada, { type: 'text', content: 'what?', replyToMsgId: lost.msgId });
  await damage(world.db, BODY, message(lost.msgId));

  const { conversationId, from, sentAt } = lost;
  const unreadable = { msgId: lost.msgId, conversationId, from, type: 'text', isUnreadable: true, sentAt };
  const quote = { msgId: lost.msgId, from, type: 'text', isUnreadable: true, excerpt: '' };
  const page = await gets(ada, `${PAGE}/${conversationId}/messages`);
  assert.deepEqual(page.messages, [{ ...quoting, quote }, unreadable, before]);
  await loseKey(world.db, BODY, message(quoting.msgId));
  const { conversations } = await gets(ada, PAGE);
  assert.equal(conversations[0].lastMessage.isUnreadable, true);
  assert.deepEqual((await exportOf(world, ada)).messages, [before, unreadable]);
});

test('an unreadable poll is shown as such and refuses votes; others are unaffected', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const { groupId } = await posts(ada, '/api/chat/groups', { name: 'Team', members: [] });
  await ada.writes(bob, 'hello');
  const asks = (question: string, isAnonymous = false) =>
    posts(ada, '/api/chat/polls', { groupId, question, options: ['yes', 'no'], isAnonymous });
  const votes = (poll: { msgId: string; poll: { options: { id: string }[] } }) =>
    ada.calls('POST', '/api/chat/polls/vote', { messageId: poll.msgId, optionId: poll.poll.options[0]?.id });
  const [fine, lost, secret] = [await asks('Tea?'), await asks('Lost?'), await asks('Secret?', true)];
  for (const poll of [fine, secret]) assert.equal((await votes(poll)).status, 200);
  await damage(world.db, BODY, message(lost.msgId));
  await damage(world.db, { table: 'polls', column: 'voter_secret' }, message(secret.msgId));

  const { messages } = await gets(ada, `${PAGE}/${groupId}/messages`);
  const [shownSecret, shownLost, shownFine] = messages;
  assert.deepEqual([shownLost.isUnreadable, shownLost.poll], [true, undefined]);
  assert.deepEqual(shownFine.poll.myOptionIds, [fine.poll.options[0].id]);
  assert.deepEqual([shownSecret.poll.totalVotes, shownSecret.poll.myOptionIds], [1, []]);
  for (const poll of [lost, secret]) {
    const { status, body } = await votes(poll);
    assert.deepEqual([status, body.message], [400, 'the poll can no longer be read']);
  }
  assert.equal((await votes(fine)).body.data.poll.totalVotes, 0);
  const closes = (messageId: string) => ada.calls('POST', '/api/chat/polls/close', { messageId });
  assert.equal((await closes(secret.msgId)).body.data.poll.closed, true, 'needs no voter secret any more');
  assert.equal((await closes(lost.msgId)).status, 400);
  const { polls } = await exportOf(world, ada);
  assert.deepEqual(
    polls.map(({ msgId, isUnreadable = false }: Record<string, unknown>) => [msgId, isUnreadable]),
    [
      [fine.msgId, false],
      [lost.msgId, true],
      [secret.msgId, false],
    ],
  );
});

test('an unreadable element of a story is shown as such to people, and left out for applications', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  await ada.writes(bob, 'hello');
  for (const text of ['first', 'lost']) await posts(ada, '/api/chat/stories', { type: 'text', text });
  const [story] = await gets(ada, '/api/chat/stories/mine');
  const lost = story.texts[1];
  await damage(
    world.db,
    { table: 'story_elements', column: 'body' },
    { column: 'element_id', value: lost.id },
  );

  const rest = { ...story, texts: [story.texts[0]] };
  const shown = { ...rest, unreadable: [{ id: lost.id, createdAt: lost.createdAt }] };
  assert.deepEqual(await gets(ada, '/api/chat/stories/mine'), [shown]);
  const [shared] = await gets(bob, '/api/chat/stories');
  assert.deepEqual(shared.story, shown);
  const seen = await bob.calls('POST', '/api/chat/stories/seen', {
    userId: ada.accountId,
    elementId: lost.id,
  });
  assert.equal(seen.status, 200);
  assert.deepEqual((await exportOf(world, ada)).stories, [shown]);
  const token = await world.token({ person: ada, scopes: ['stories:read'] });
  const headers = { authorization: `Bearer ${token}` };
  const answer = await world.app.inject({ url: '/v1/stories/mine', headers });
  assert.deepEqual(answer.json().data, [rest]);
});

test('the event feed skips an unreadable event, even if it is the only one on its page', async () => {
  await using world = await createWorld();
  const [ada, bot] = [await world.person('Ada'), await world.bot()];
  for (const text of ['first', 'lost', 'last']) await ada.writes(bot, text);
  const page = async (query: string) => (await bot.calls('GET', `/v1/events?${query}`)).body.data;
  const { events } = await page('limit=9');
  await damage(
    world.db,
    { table: 'events', column: 'body' },
    { column: 'delivery_id', value: events[1].eventId },
  );
  assert.deepEqual((await page('limit=9')).events, [events[0], events[2]]);
  assert.deepEqual(await page(`after=${events[0].cursor}&limit=1`), {
    events: [],
    nextAfter: events[1].cursor,
    hasMore: true,
  });
  const payload = `/api/console/applications/${bot.appId}/events/${events[1].eventId}/payload`;
  assert.deepEqual(await gets(bot.owner, payload), { isMasked: true, isUnreadable: true, payload: {} });
});

test('an unreadable stored response is recreated by a retry', async () => {
  await using world = await createWorld();
  const [ada, bot] = [await world.person('Ada'), await world.bot()];
  await ada.writes(bot, 'hello');
  const sends = () =>
    bot.calls(
      'POST',
      '/v1/messages',
      { to: ada.accountId, type: 'text', content: 'once' },
      { 'idempotency-key': 'k' },
    );
  const { body } = await sends();
  await damage(world.db, { table: 'idempotency_keys', column: 'answer' }, 'all');
  assert.deepEqual((await sends()).body.data, body.data);
  assert.equal((await ada.reads(bot)).length, 2);
});

test('an unreadable invite link counts as none: a new one replaces it, and the old one is invalid', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const url = '/api/auth/invite-link';
  const renew = async () => (await ada.calls('POST', url)).body.data.token;
  const lost = await renew();
  const leadsTo = async (token: string) => (await bob.calls('GET', `/api/auth/invites/${token}`)).status;
  assert.equal(await leadsTo(lost), 200);
  await damage(world.db, { table: 'invite_links', column: 'token' }, 'all');
  assert.equal((await gets(ada, url)).link, undefined);
  assert.equal(await leadsTo(lost), 404);
  const renewed = await renew();
  assert.deepEqual([await leadsTo(lost), await leadsTo(renewed)], [404, 200]);
});
