import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeptDraft } from '#contract/chat/drafts.ts';
import type { Conversation } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { privateConversationId } from '#platform/ids.ts';
import type { LiveEvent } from '#platform/live.ts';
import { columnOf } from '#testing/columns.ts';
import { createWorld, type Person } from '#testing/world.ts';

const draftsOf = async (person: Person): Promise<KeptDraft[]> =>
  (await person.calls('GET', '/api/chat/drafts')).body.data;

const keeps = (person: Person, conversationId: string, draft: object) =>
  person.calls('PUT', `/api/chat/conversations/${conversationId}/draft`, draft);

test('a draft is on all pages of its author and on no others, and encrypted in the database', async (t) => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const { msgId } = await bob.writes(ada, 'When do we meet?');
  const conversationId = privateConversationId(ada.accountId, bob.accountId);
  const received: LiveEvent[] = [];
  t.after(world.live.subscribe(ada.accountId, (event) => received.push(event)));
  const elsewhere: LiveEvent[] = [];
  t.after(world.live.subscribe(bob.accountId, (event) => elsewhere.push(event)));

  const begun = { text: 'At the secret pl', replyToMsgId: msgId, mentioned: { Bob: bob.accountId } };
  const { status, body } = await keeps(ada, conversationId, begun);
  const { replyToMsgId: _, ...rest } = begun;
  const quote = { msgId, from: bob.accountId, type: 'text', excerpt: 'When do we meet?' };
  const kept = { conversationId, version: world.clock.now(), draft: { ...rest, quote } };
  assert.deepEqual([status, body.data], [200, kept]);
  assert.deepEqual(received, [{ type: 'draft.changed', data: kept }]);
  assert.deepEqual(await draftsOf(ada), [kept]);
  assert.deepEqual([await draftsOf(bob), elsewhere], [[], []]);
  const [row] = await world.db<
    { body: Buffer }[]
  >`select body from drafts where account_id = ${ada.accountId}`;
  assert.equal(row?.body.includes('secret'), false);
  const exported = (await ada.calls('GET', '/api/auth/export')).body;
  assert.deepEqual(exported.drafts, [{ conversationId, ...begun }]);

  // The last one counts, even within the same millisecond; its quote is shown in its current form.
  const next = (await keeps(ada, conversationId, { text: 'At n', replyToMsgId: msgId })).body.data;
  assert.equal(next.version, kept.version + 1);
  await bob.calls('DELETE', `/api/chat/conversations/${conversationId}/messages/${msgId}`);
  assert.deepEqual(await draftsOf(ada), [{ ...next, draft: { text: 'At n' } }]);

  // Sending deletes it; after that there is nothing left to save.
  await keeps(bob, conversationId, { text: 'Soon' });
  const ended = { conversationId, version: next.version + 1 };
  assert.deepEqual((await keeps(ada, conversationId, { text: ' ' })).body.data, ended);
  assert.deepEqual(received.at(-1), { type: 'draft.changed', data: ended });
  const told = received.length;
  await keeps(ada, conversationId, { text: '' });
  assert.deepEqual([received.length, await draftsOf(ada)], [told, []]);
  assert.deepEqual(columnOf(await draftsOf(bob), 'draft'), [{ text: 'Soon' }]);
});

test('a draft needs one of the person’s conversations, and is deleted with it', async () => {
  await using world = await createWorld();
  const [ada, bob, eve] = [await world.person('Ada'), await world.person('Bob'), await world.person('Eve')];
  await bob.writes(ada, 'hello');
  const conversationId = privateConversationId(ada.accountId, bob.accountId);
  assert.equal((await keeps(eve, conversationId, { text: 'mine?' })).status, 404);
  const long = await keeps(ada, conversationId, { text: 'x'.repeat(LIMITS.draftLength + 1) });
  assert.deepEqual([long.status, long.body.message.startsWith('text ')], [400, true]);

  const groupId = await ada.makesGroup([bob]);
  assert.equal((await keeps(bob, groupId, { text: 'I bring' })).status, 200);
  await bob.removes(groupId);
  assert.deepEqual(await draftsOf(bob), []);
});

test('the draft of a new conversation is in its author’s list for as long as it exists', async (t) => {
  await using world = await createWorld();
  const [ada, bob, eve] = [await world.person('Ada'), await world.person('Bob'), await world.person('Eve')];
  const bot = await world.bot({ name: 'Weather' });
  const { inviteToken } = await invitationOf(bob);
  const listOf = async (person: Person) => {
    const { conversations } = (await person.calls('GET', '/api/chat/conversations')).body.data;
    return (conversations as Conversation[]).map(({ peer, position }) => [peer?.name, typeof position]);
  };
  const withBob = privateConversationId(ada.accountId, bob.accountId);
  const withBot = privateConversationId(ada.accountId, bot.accountId);
  assert.equal((await keeps(ada, withBob, { text: 'Dear' })).status, 404);
  for (const finding of [{}, { inviteToken: 'x'.repeat(24) }, { username: bot.username }])
    assert.equal((await keeps(ada, withBob, { text: 'Dear', finding })).status, 404, JSON.stringify(finding));
  assert.deepEqual(await listOf(ada), []);

  const kept = await keeps(ada, withBob, { text: 'Dear', finding: { inviteToken } });
  assert.deepEqual([kept.status, kept.body.data.draft], [200, { text: 'Dear' }]);
  assert.equal((await keeps(ada, withBob, { text: 'Dear Bob' })).status, 200);
  await keeps(ada, withBot, { text: '/to', finding: { username: bot.username } });
  const [bobs, bots] = [
    ['Bob', 'string'],
    ['Weather', 'string'],
  ];
  assert.deepEqual((await listOf(ada)).toSorted(), [bobs, bots]);
  assert.deepEqual(await listOf(bob), []);
  // The other person does not learn of the draft.
  const received: LiveEvent[] = [];
  t.after(world.live.subscribe(bob.accountId, (event) => received.push(event)));
  await ada.calls('PATCH', '/api/auth/profile', { name: 'Countess' });
  await ada.calls('POST', '/api/chat/stories', { type: 'text', text: 'Busy' });
  assert.deepEqual(received, []);
  await ada.calls('PATCH', '/api/auth/profile', { name: 'Ada' });
  const shown = (await ada.calls('GET', `/api/chat/conversations/${withBob}`)).body.data;
  assert.deepEqual([shown.isHidden, shown.mayWrite, shown.unreadCount], [false, true, 0]);
  await keeps(ada, withBot, { text: '' });
  assert.deepEqual(await listOf(ada), [bobs]);

  // The conversation begins like any other; after a deletion, a new draft lists it again, until the next
  // deletion.
  await ada.writes(bob, 'Dear Bob, dear all');
  await keeps(ada, withBob, { text: '' });
  assert.deepEqual([await listOf(ada), await listOf(bob)], [[['Bob', 'undefined']], [['Ada', 'undefined']]]);
  const deletes = () => ada.calls('DELETE', `/api/chat/conversations/${withBob}`);
  await deletes();
  assert.deepEqual(await listOf(ada), []);
  await keeps(ada, withBob, { text: 'Once more' });
  assert.deepEqual(await listOf(ada), [bobs]);
  await deletes();
  assert.deepEqual([await listOf(ada), await draftsOf(ada)], [[], []]);
  const own = await keeps(eve, privateConversationId(eve.accountId, eve.accountId), {
    text: 'me',
    finding: { inviteToken: (await invitationOf(eve)).inviteToken },
  });
  assert.equal(own.status, 404);
});

async function invitationOf(person: Person): Promise<{ inviteToken: string }> {
  const { token } = (await person.calls('POST', '/api/auth/invite-link', {})).body.data;
  return { inviteToken: token };
}
