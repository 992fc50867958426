import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contactKey } from '#features/contacts/index.ts';
import { isSerializationFailure } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { createWorld, type World } from '#testing/world.ts';
import { type Draft, toMessageRow } from '../content.ts';
import { insertMessages } from '../insert-queries.ts';
import { writeInTransaction } from '../write.ts';
import { type SendPermission, sendBatch } from './batch.ts';
import { groupPermission } from './group.ts';
import { privatePermission } from './private.ts';

const content = (replyToMsgId?: string) => ({ type: 'text' as const, body: { content: 'x' }, replyToMsgId });
const QUOTES = ['none', 'here', 'elsewhere', 'unknown', 'nonsense'] as const;
const quote = fc.constantFrom(...QUOTES);

/** The statement stores exactly those drafts that the rule does not refuse. A batch is of one shard. */
async function agree<D extends Draft>(
  world: World,
  permission: SendPermission<D>,
  drafts: D[],
): Promise<void> {
  const batches = Map.groupBy(drafts, ({ bucket }) => world.shards.of(bucket));
  for (const batch of batches.values()) await agreeOn(world, permission, batch);
}

async function agreeOn<D extends Draft>(
  world: World,
  permission: SendPermission<D>,
  drafts: D[],
): Promise<void> {
  const refusals = await permission.refuse(drafts, world.db);
  const permitted = drafts.filter((_, i) => !refusals[i]).map(({ msgId }) => msgId);
  const { messages } = await world.db.begin(async (tx) =>
    writeInTransaction(tx, world, await permission.prepare(drafts, tx), permission.insert),
  );
  assert.deepEqual([...messages.keys()].toSorted(), permitted.toSorted());
}

/** Stores a message in each of the conversations and one elsewhere, for drafts to quote. */
async function quotable(world: World, conversationIds: string[]) {
  const elsewhere = world.newId('grp');
  const rows = [...new Set([...conversationIds, elsewhere])].map((conversationId) =>
    toMessageRow(world.keyring, {
      bucket: bucketOf(conversationId),
      conversationId,
      msgId: world.newId('msg'),
      senderId: world.newId('usr'),
      content: content(),
      sentAt: world.clock.now(),
    }),
  );
  await world.db.begin((tx) => insertMessages(tx, rows));
  const msgIdOf = new Map(rows.map(({ conversationId, msgId }) => [conversationId, msgId]));
  return (kind: (typeof QUOTES)[number], conversationId: string) =>
    ({
      none: undefined,
      here: msgIdOf.get(conversationId),
      elsewhere: msgIdOf.get(elsewhere),
      unknown: world.newId('msg'),
      nonsense: 'nonsense',
    })[kind];
}

test('who may write in a group: the statement and the rule agree', async () => {
  await using world = await createWorld();
  const permission = groupPermission(world);
  const group = fc.record({
    isBroadcast: fc.boolean(),
    sendMessages: fc.boolean(),
    isDeleted: fc.boolean(),
    creator: fc.nat(3),
    members: fc.uniqueArray(fc.record({ account: fc.nat(3), isAdmin: fc.boolean(), isMuted: fc.boolean() }), {
      selector: ({ account }) => account,
    }),
  });
  const send = fc.record({
    group: fc.nat(3),
    sender: fc.nat(3),
    mentioned: fc.uniqueArray(fc.nat(4), { maxLength: 2 }),
    quote,
  });
  const states = fc.tuple(fc.array(group, { minLength: 1, maxLength: 4 }), fc.array(send, { minLength: 1 }));
  const property = fc.asyncProperty(states, async ([groups, sends]) => {
    const accountIds = Array.from({ length: 5 }, () => world.newId('usr'));
    const groupIds = [0, 1, 2, 3].map(() => world.newId('grp'));
    const now = world.clock.now();
    const accounts = accountIds.map((accountId) => ({ accountId, isBot: false, name: 'x', createdAt: now }));
    await world.db`insert into accounts ${world.db(accounts)}`;
    for (const [i, { creator, isBroadcast, sendMessages, isDeleted, members }] of groups.entries()) {
      const groupId = groupIds[i] as string;
      const bucket = bucketOf(groupId);
      await world.db`
        insert into groups (bucket, group_id, name, description, is_broadcast, send_messages, edit_info_only_admin,
          creator_id, member_count, created_at, deleted_at)
        values (${bucket}, ${groupId}, 'x', '', ${isBroadcast}, ${sendMessages}, true,
          ${accountIds[creator] as string}, ${members.length}, ${now}, ${isDeleted ? now : null})`;
      for (const { account, isAdmin, isMuted } of members) {
        const accountId = accountIds[account] as string;
        await world.db`
          insert into members (bucket, group_id, account_id, is_admin, joined_at)
          values (${bucket}, ${groupId}, ${accountId}, ${isAdmin}, ${now})`;
        await world.db`
          insert into account_conversations (account_id, conversation_id, bucket, kind, created_at, is_muted)
          values (${accountId}, ${groupId}, ${bucket}, 'group', ${now}, ${isMuted})`;
      }
    }
    const quoteIn = await quotable(world, groupIds);
    const drafts = sends.map(({ group, sender, mentioned, quote }) => {
      const groupId = groupIds[group] as string;
      const said = content(quoteIn(quote, groupId));
      const mentionedUserIds = mentioned.map((i) => accountIds[i] as string);
      return {
        kind: 'group' as const,
        bucket: bucketOf(groupId),
        groupId,
        conversationId: groupId,
        msgId: world.newId('msg'),
        senderId: accountIds[sender] as string,
        content: { ...said, body: { ...said.body, mentionedUserIds } },
        topics: [],
        receivers: [],
      };
    });
    await agree(world, permission, drafts);
  });
  await fc.assert(property, { numRuns: 100 });
});

test('to whom a bot may write: the statement and the rule agree', async () => {
  await using world = await createWorld();
  const permission = privatePermission(world);
  const time = fc.constantFrom(null, 1);
  const unknown = fc.record({ kind: fc.constant('unknown' as const) });
  const person = fc.record({ kind: fc.constant('person' as const), wroteAt: time, blockedAt: time });
  // Deleting an account clears `wroteAt`, but the account may have blocked without a conversation; bots do not
  // write to bots.
  const other = fc.record({
    kind: fc.constantFrom('bot', 'deleted'),
    wroteAt: fc.constant(null),
    blockedAt: time,
  });
  const send = fc.record({ recipient: fc.nat(3), quote });
  const states = fc.tuple(
    fc.array(fc.oneof(person, other, unknown), { minLength: 4, maxLength: 4 }),
    fc.array(send, { minLength: 1 }),
  );
  const property = fc.asyncProperty(states, async ([recipients, sends]) => {
    const senderId = world.newId('usr');
    const sides = recipients.map(() => contactKey(world.newId('usr'), senderId));
    for (const [i, recipient] of recipients.entries()) {
      const { bucket, conversationId, accountId } = sides[i] as (typeof sides)[number];
      if (!('wroteAt' in recipient)) continue;
      const { kind, wroteAt, blockedAt } = recipient;
      await world.db`
        insert into accounts (account_id, is_bot, name, created_at, deleted_at)
        values (${accountId}, ${kind === 'bot'}, 'x', 1, ${kind === 'deleted' ? 1 : null})`;
      const elsewhere = contactKey(accountId, world.newId('usr'));
      await world.db`
        insert into contacts (bucket, conversation_id, account_id, peer_id, wrote_at, blocked_at)
        values (${elsewhere.bucket}, ${elsewhere.conversationId}, ${accountId}, 'x', 1, null),
          (${bucket}, ${conversationId}, ${senderId}, ${accountId}, 1, null),
          (${bucket}, ${conversationId}, ${accountId}, ${senderId}, ${wroteAt}, ${blockedAt})`;
    }
    const quoteIn = await quotable(
      world,
      sides.map(({ conversationId }) => conversationId),
    );
    const drafts = sends.map(({ recipient, quote }) => {
      const { bucket, conversationId, accountId } = sides[recipient] as (typeof sides)[number];
      return {
        kind: 'private' as const,
        bucket,
        conversationId,
        msgId: world.newId('msg'),
        senderId,
        recipientId: accountId,
        field: 'to',
        content: content(quoteIn(quote, conversationId)),
        topics: [],
        receivers: [],
      };
    });
    await agree(world, permission, drafts);
  });
  await fc.assert(property, { numRuns: 100 });
});

test('if they disagree nevertheless, the send fails after one retry, and the others of its batch succeed', async () => {
  await using world = await createWorld();
  const draft = () => {
    const conversationId = world.newId('grp');
    const key = { bucket: bucketOf(conversationId), conversationId, msgId: world.newId('msg') };
    const senderId = world.newId('usr');
    return { kind: 'group' as const, ...key, senderId, content: content(), topics: [], receivers: [] };
  };
  const [good, bad] = [draft(), draft()];
  let tries = 0;
  const answers = await sendBatch(
    world,
    {
      prepare: async (drafts) => drafts,
      insert: async (tx, rows) => {
        tries++;
        const stored = rows.filter(({ msgId }) => msgId !== bad.msgId);
        return stored.length === 0 ? [] : insertMessages(tx, stored);
      },
      keep: async () => undefined,
      refuse: async (drafts) => drafts.map(() => undefined),
    },
    [good, bad],
  );
  assert.equal(tries, 2);
  const [written, failed] = answers;
  assert.ok(written && !(written instanceof Error) && written.msgId === good.msgId);
  assert.ok(failed instanceof Error && failed.message.includes(bad.msgId));
});

test('a permission that others change before each of nine snapshots is used in the tenth, the last', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const ada = await world.person();
  await ada.writes(bot, 'hi');
  const permission = privatePermission(world);
  const key = contactKey(ada.accountId, bot.accountId);
  const send = async (changes: number) => {
    let snapshots = 0;
    const draft = {
      kind: 'private' as const,
      ...key,
      msgId: world.newId('msg'),
      senderId: bot.accountId,
      recipientId: ada.accountId,
      field: 'to',
      content: content(),
      topics: [],
      receivers: [],
    };
    await ada.blocks(bot);
    const [answer] = await sendBatch(
      world,
      {
        ...permission,
        refuse: async (drafts, db) => {
          if (snapshots === 0) await ada.unblocks(bot);
          return permission.refuse(drafts, db);
        },
        keep: async (tx, drafts) => {
          await tx`select`;
          if (snapshots++ < changes) await ada.blocks(bot).then(() => ada.unblocks(bot));
          return permission.keep(tx, drafts);
        },
      },
      [draft],
    );
    return { answer, snapshots };
  };
  const { answer, snapshots } = await send(9);
  assert.ok(answer && 'sentAt' in answer);
  // On Citus, a change between check and insert counts as later than both.
  if (world.shards.isDistributed) return assert.equal(snapshots, 1);
  assert.equal(snapshots, 10);
  await assert.rejects(send(10), isSerializationFailure);
});
