import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ChangeConversation } from '#contract/chat/conversation-settings.ts';
import type { Conversation } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { isArchivedAt } from '#contract/rights.ts';
import type { LiveEvent } from '#platform/live.ts';
import { createWorldFor, type Person } from '#testing/world.ts';

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const ada = await world.person('Ada');
  const groupOf = (name: string, members: Person[] = []) => ada.makesGroup(members, { name });
  const changes = (person: Person, conversationId: string, change: ChangeConversation) =>
    person.calls('PATCH', `/api/chat/conversations/${conversationId}`, change);
  const shown = async (person: Person, conversationId: string): Promise<Conversation> =>
    (await person.calls('GET', `/api/chat/conversations/${conversationId}`)).body.data;
  const listed = async (person: Person): Promise<Conversation[]> =>
    (await person.calls('GET', '/api/chat/conversations')).body.data.conversations;
  const names = async (person: Person) => (await listed(person)).map(({ group }) => group?.name);
  return { world, ada, groupOf, changes, shown, names };
}

function writes(person: Person, groupId: string, content: string, mentioned: Person[] = []) {
  const mentionedUserIds = mentioned.map(({ accountId }) => accountId);
  return person.writesIn(groupId, { type: 'text', content, mentionedUserIds });
}

test('pinned conversations come first, the most recently pinned at the top', async (t) => {
  const { world, ada, groupOf, changes, shown, names } = await scene(t);
  const groupIds: string[] = [];
  for (const name of ['one', 'two', 'three', 'four']) groupIds.push(await groupOf(name));
  const [one = '', two = '', , four = ''] = groupIds;
  const received: LiveEvent[] = [];
  world.live.subscribe(ada.accountId, (event) => received.push(event));
  for (const groupId of [two, one]) {
    world.clock.advance({ seconds: 1 });
    assert.equal((await changes(ada, groupId, { isPinned: true })).status, 200);
  }
  assert.deepEqual(await names(ada), ['one', 'two', 'four', 'three']);
  const { pinnedAt, settingsVersion } = await shown(ada, one);
  assert.deepEqual([pinnedAt, settingsVersion], [world.clock.now(), 1]);
  const settings = { isMuted: false, notifyOf: 'all', hasSound: true };
  const told = { conversationId: one, ...settings, pinnedAt, settingsVersion };
  assert.deepEqual(received.at(-1), { type: 'conversation.changed', data: told });
  await changes(ada, one, { isPinned: false });
  assert.deepEqual(await names(ada), ['two', 'four', 'three', 'one']);
  await ada.calls('DELETE', `/api/chat/conversations/${two}`);
  await writes(ada, two, 'back');
  assert.equal((await shown(ada, two)).pinnedAt, undefined, 'who deletes a conversation unpins it');
  await world.db`
    insert into account_conversations (account_id, conversation_id, bucket, kind, created_at, pinned_at)
    select ${ada.accountId}, 'grp_' || n, 1, 'group', 1, 1 from generate_series(1, ${LIMITS.pinnedConversations}) n`;
  assert.equal((await changes(ada, four, { isPinned: true })).reason, 'conversation.too-many-pinned');
});

test('however many conversations a person pins at once, the limit holds', async (t) => {
  const { world, ada, groupOf, changes } = await scene(t);
  await world.db`
    insert into account_conversations (account_id, conversation_id, bucket, kind, created_at, pinned_at)
    select ${ada.accountId}, 'grp_' || n, 1, 'group', 1, 1 from generate_series(2, ${LIMITS.pinnedConversations}) n`;
  const groupIds = await Promise.all(Array.from({ length: 8 }, (_, i) => groupOf(`group ${i}`)));
  const answers = await Promise.all(groupIds.map((groupId) => changes(ada, groupId, { isPinned: true })));
  assert.deepEqual(answers.map(({ status, reason }) => reason ?? status).toSorted(), [
    200,
    ...new Array(7).fill('conversation.too-many-pinned'),
  ]);
  const pinned = groupIds[answers.findIndex(({ status }) => status === 200)] ?? '';
  assert.equal((await changes(ada, pinned, { isPinned: true })).status, 200, 'once more is no change');
  const bob = await world.person('Bob');
  const groupId = await bob.makesGroup([]);
  assert.equal((await changes(bob, groupId, { isPinned: true })).status, 200, 'each person has this limit');
});

test('an archived conversation reappears with a new message, unless it is muted', async (t) => {
  const { world, ada, groupOf, changes, shown } = await scene(t);
  const bob = await world.person('Bob');
  const groupId = await groupOf('Tea', [bob]);
  await writes(bob, groupId, 'hello');
  const isArchived = async () => isArchivedAt(await shown(ada, groupId), world.clock.now());
  await changes(ada, groupId, { isPinned: true });
  await changes(ada, groupId, { isArchived: true });
  assert.deepEqual([await isArchived(), (await shown(ada, groupId)).pinnedAt], [true, undefined]);
  assert.equal((await shown(bob, groupId)).archivedMsgId, undefined, 'it is nobody else’s business');
  await writes(bob, groupId, 'are you there?');
  assert.equal(await isArchived(), false);
  await changes(ada, groupId, { isArchived: true, isMuted: true, mutedForSeconds: 3600 });
  await writes(bob, groupId, 'still there?');
  assert.equal(await isArchived(), true);
  world.clock.advance({ hours: 1 });
  assert.equal(await isArchived(), false);
  await changes(ada, groupId, { isArchived: true });
  await changes(ada, groupId, { isPinned: true });
  assert.equal(await isArchived(), false, 'what is pinned is not put away');
});

test('a conversation is muted for a time or until it is unmuted', async (t) => {
  const { world, ada, groupOf, changes, shown } = await scene(t);
  const groupId = await groupOf('Tea');
  const state = async () => {
    const { isMuted, mutedUntil } = await shown(ada, groupId);
    return [isMuted, mutedUntil];
  };
  await changes(ada, groupId, { isMuted: true, mutedForSeconds: 8 * 3600 });
  assert.deepEqual(await state(), [true, world.clock.now() + 8 * 3_600_000]);
  await changes(ada, groupId, { notifyOf: 'mentions' });
  assert.deepEqual(await state(), [true, world.clock.now() + 8 * 3_600_000]);
  world.clock.advance({ hours: 8 });
  assert.deepEqual(await state(), [false, undefined]);
  await changes(ada, groupId, { isMuted: true });
  assert.deepEqual(await state(), [true, undefined]);
  await changes(ada, groupId, { isMuted: false });
  assert.deepEqual(await state(), [false, undefined]);
  for (const wrong of [{}, { mutedForSeconds: 60 }, { isMuted: true, mutedForSeconds: 59 }])
    assert.equal((await changes(ada, groupId, wrong)).status, 400, JSON.stringify(wrong));
  const stranger = await world.person();
  assert.equal((await changes(stranger, groupId, { isPinned: true })).status, 404);
});

test('the list has the newest unread message that mentions the reader', async (t) => {
  const { world, ada, groupOf, shown } = await scene(t);
  const [bob, bot] = [await world.person('Bob'), await world.bot()];
  await bob.writes(bot, 'hi');
  await ada.writes(bot, 'hi');
  const groupId = await groupOf('Tea', [bob]);
  await ada.adds(groupId, bot);
  const mention = async () => (await shown(bob, groupId)).mentionMsgId;
  const path = `/api/chat/conversations/${groupId}`;
  const elsewhere = await groupOf('Cake', [bob]);
  const ofCake = await writes(ada, elsewhere, '@Bob', [bob]);
  const before = await writes(ada, groupId, 'before');
  const first = await writes(ada, groupId, '@Bob', [bob]);
  const second = await writes(ada, groupId, '@Bob', [bob]);
  await writes(ada, groupId, 'not of him');
  await bob.calls('POST', `${path}/read`, { msgId: before.msgId });
  assert.equal(await mention(), second.msgId);
  assert.equal((await shown(ada, groupId)).mentionMsgId, undefined);
  await ada.calls('DELETE', `${path}/messages/${second.msgId}`);
  assert.equal(await mention(), first.msgId);
  await bob.calls('POST', `${path}/read`, { msgId: first.msgId });
  assert.equal(await mention(), undefined);
  const mentionedUserIds = [bob.accountId, bot.accountId];
  const byBot = await bot.writesIn(groupId, { type: 'text', content: 'by a bot', mentionedUserIds });
  assert.equal(await mention(), byBot);
  assert.equal((await world.db`select 1 from mentions`).length, 2, 'of those that are unread, and of people');
  await writes(bob, groupId, 'who answers has read it', [bob]);
  assert.deepEqual([await mention(), (await world.db`select 1 from mentions`).length], [undefined, 1]);
  assert.equal((await shown(bob, elsewhere)).mentionMsgId, ofCake.msgId);
  await writes(ada, groupId, '@Bob', [bob]);
  await bob.deletesAccount();
  assert.equal((await world.db`select 1 from mentions`).length, 0);
});
