import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatMessage } from '#contract/chat.ts';
import type { Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { countWaiting } from '#testing/citus.ts';
import { groupScene } from '#testing/group-scene.ts';
import { eventually } from '#testing/waits.ts';
import type { Person, World } from '#testing/world.ts';

/** The answer to a request while the change of a right is not committed yet. */
async function during(
  { db }: World,
  change: (tx: Tx) => PromiseLike<unknown>,
  request: () => Promise<{ reason?: string | undefined }>,
): Promise<string | undefined> {
  const [answer] = await db.begin(async (tx) => {
    await change(tx);
    let isAnswered = false;
    const answer = request().finally(() => {
      isAnswered = true;
    });
    await eventually(async () => isAnswered || (await countWaiting(db)) > 0);
    return [answer] as const;
  });
  return (await answer).reason;
}

test('who leaves a group in the same moment changes nothing there any more', async (t) => {
  const { world, people, groupOf } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  const groupId = await groupOf(ada, [bob], { editInfoOnlyAdmin: false });
  const writes = async (path: string, body: object): Promise<ChatMessage> =>
    (await bob.calls('POST', `/api/chat${path}`, { groupId, ...body })).body.data;
  const { msgId } = await writes('/groups/messages', { type: 'text', content: 'Tea?' });
  const question = await writes('/polls', { question: 'Tea?', options: ['Yes', 'No'] });
  const at = `/api/chat/conversations/${groupId}`;
  const path = `${at}/messages/${msgId}`;
  const vote = { messageId: question.msgId, optionId: question.poll?.options[0]?.id };
  await world.groups.changeRole(
    { kind: 'user', accountId: ada.accountId },
    {
      groupId,
      memberId: bob.accountId,
      isAdmin: true,
    },
  );
  const leaves = async (tx: Tx) => {
    await tx`
      select from groups where bucket = ${bucketOf(groupId)} and group_id = ${groupId} for no key update`;
    await tx`delete from members where group_id = ${groupId} and account_id = ${bob.accountId}`;
  };
  const returns = () =>
    world.db.begin(
      (tx) => tx`
        insert into members (bucket, group_id, account_id, is_admin, joined_at)
        select bucket, group_id, ${bob.accountId}, true, 1 from groups where group_id = ${groupId}`,
    );
  for (const [method, url, body, refused] of [
    ['PATCH', path, { text: 'Coffee?' }, 'conversation.unknown'],
    ['PUT', `${path}/pin`, undefined, 'conversation.unknown'],
    ['DELETE', `${path}/pin`, undefined, 'conversation.unknown'],
    ['PUT', `${path}/reactions`, { emoji: ['👍'] }, 'conversation.unknown'],
    ['PUT', `${at}/retention`, { lifetimeDays: 7 }, 'conversation.unknown'],
    ['DELETE', path, undefined, 'conversation.unknown'],
    ['POST', '/api/chat/polls/vote', vote, 'group.not-a-member'],
  ] as const) {
    const answered = await during(world, leaves, () => bob.calls(method, url, body));
    assert.equal(answered, refused, `${method} ${url}`);
    await returns();
  }
});

test('who is blocked in the same moment edits and reacts no more, nor shortens what is kept', async (t) => {
  const { world, people } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  const { conversationId, msgId } = await ada.writes(bob, 'Tea?');
  await bob.writes(ada, 'No');
  const blocks = (tx: Tx) =>
    tx`update contacts set blocked_at = 1 where conversation_id = ${conversationId} and account_id = ${bob.accountId}`;
  const at = `/api/chat/conversations/${conversationId}`;
  const path = `${at}/messages/${msgId}`;
  for (const [method, url, body] of [
    ['PATCH', path, { text: 'Coffee?' }],
    ['PUT', `${path}/reactions`, { emoji: ['👍'] }],
    ['PUT', `${path}/pin`, undefined],
    ['PUT', `${at}/retention`, { lifetimeDays: 7 }],
  ] as const) {
    const answered = await during(world, blocks, () => ada.calls(method, url, body));
    assert.equal(answered, 'recipient.not-taking', `${method} ${url}`);
    await world.db.begin((tx) => tx`update contacts set blocked_at = null where blocked_at is not null`);
  }
});
