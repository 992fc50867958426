import assert from 'node:assert/strict';
import { contactKey } from '#features/contacts/index.ts';
import { privatePermission } from '#features/messages/send/private.ts';
import { privateConversationId } from '#platform/ids.ts';
import type { Answer } from '#testing/answers.ts';
import type { Person, World } from '#testing/world.ts';
import type { Arena } from '../arena.ts';
import { type Guard, type Race, race } from '../race.ts';
import { countMessages, expectStatuses, removeFromGroup, text, withBot } from './scenes.ts';

/** What is there once the change is acknowledged stays all there is. */
function thenCount(arena: Arena, change: () => Promise<Answer>, conversationId: string) {
  return async () => {
    const { status, body } = await change();
    return { status, body, seen: await countMessages(arena, conversationId) };
  };
}

async function expectNothingAfter(
  arena: Arena,
  conversationId: string,
  before: number,
  [sent, changed]: unknown[],
) {
  const [{ status }, { status: changedStatus, seen }] = [
    sent as Answer,
    changed as Answer & { seen: number },
  ];
  assert.ok(changedStatus < 300, `changed: ${changedStatus}`);
  const count = await countMessages(arena, conversationId);
  assert.equal(count, before + Number(status === 201), 'what was acknowledged is stored, and nothing else');
  assert.equal(count, seen, 'a message came after the change was acknowledged');
}

type WithBot = { arena: Arena } & Awaited<ReturnType<typeof withBot>>;

/** A bot writes to a person while that is forbidden. */
function sendAndForbid({
  prepare = async () => {},
  send = ({ arena, ada, bot }) => arena.bot(0, bot).calls('POST', '/v1/messages', text(ada.accountId)),
  forbid = ({ arena, ada, bot }) =>
    arena.person(1, ada).calls('POST', '/api/chat/blocks', { userId: bot.accountId }),
  check = async () => {},
  guards,
}: {
  prepare?: (scene: WithBot) => Promise<void>;
  send?: (scene: WithBot) => Promise<Answer>;
  /** Default: the person blocks the bot. */
  forbid?: (scene: WithBot) => Promise<Answer>;
  check?: (scene: WithBot) => Promise<void>;
  guards: Record<string, Guard>;
}): Race {
  return race(guards, async (arena) => {
    const scene = { arena, ...(await withBot(arena)) };
    const { conversationId } = scene;
    await prepare(scene);
    const before = await countMessages(arena, conversationId);
    return {
      works: [() => send(scene), thenCount(arena, () => forbid(scene), conversationId)],
      async check(results) {
        await expectNothingAfter(arena, conversationId, before, results);
        await check(scene);
      },
    };
  });
}

const draft = ({ arena, ada, bot }: WithBot) =>
  arena.bot(0, bot).calls('PUT', '/v1/messages/draft', { conversationId: ada.accountId, content: 'Sunn' });

/** A bot sends to a group from which it is removed meanwhile. */
function sendAndRemove(more: (ada: Person) => object, guards: Record<string, Guard>): Race {
  return race(guards, async (arena) => {
    const { ada, bot } = await withBot(arena);
    // The other one gets an event of the message, in its transaction.
    const groupId = await ada.makesGroup([bot, await arena.world.bot()]);
    const before = await countMessages(arena, groupId);
    return {
      works: [
        () =>
          arena
            .bot(0, bot)
            .calls('POST', '/v1/messages/group', { groupId, type: 'text', content: 'x', ...more(ada) }),
        async () => {
          const { status, body } = await removeFromGroup(arena.person(1, ada), groupId, bot.accountId);
          const seen = await arena.world.db`
            select from messages where conversation_id = ${groupId} and sender_id = ${bot.accountId}`;
          return { status, body, seen: seen.length };
        },
      ],
      async check(results) {
        const [sent, removed] = results as [Answer, Answer & { seen: number }];
        assert.equal(removed.status, 200);
        const stored = (await countMessages(arena, groupId)) - before - 1;
        assert.deepEqual([stored, removed.seen], sent.status === 201 ? [1, 1] : [0, 0]);
      },
    };
  });
}

export const SENDS: Record<string, Race> = {
  'a bot sends, and the person blocks it': sendAndForbid({
    guards: { 'the recipient does not block it': [[/ and target\.blocked_at is null/, '']] },
  }),
  'a bot asks in a poll, and the person blocks it': sendAndForbid({
    prepare: ({ bot }) => bot.mayOnly(['messages:send', 'polls:write']),
    send: ({ arena, ada, bot }) =>
      arena.bot(0, bot).calls('POST', '/v1/polls', {
        receiverId: ada.accountId,
        question: 'Tea?',
        options: ['Tea', 'Coffee'],
      }),
    guards: {
      'the shared lock of the contacts': [[/(from contacts where [^;]*order by account_id) for share/, '$1']],
    },
  }),
  'a stream ends, and the person blocks the bot': sendAndForbid({
    // Begun before the race: its reads are shared for some milliseconds, and their number is not the same in every run.
    prepare: async (scene) => void expectStatuses([await draft(scene)], 200),
    check: async (scene) => void expectStatuses([await draft(scene)], 403),
    guards: { 'the recipient does not block it': [[/ and target\.blocked_at is null/, '']] },
  }),
  'a person sends, and the other blocks them': race(
    {
      'neither side blocks the other': [
        [
          /select (conversation_id, account_id, wrote_at), blocked_at/,
          'select $1, null::bigint as blocked_at',
        ],
      ],
      'a block waits for what is being written': [
        [/(select deleted_at from accounts where account_id = \$1) for no key update/, '$1'],
      ],
    },
    async (arena) => {
      const [ada, bob] = [await arena.world.person(), await arena.world.person()];
      await ada.writes(bob, 'hi');
      const conversationId = privateConversationId(ada.accountId, bob.accountId);
      const block = () => arena.person(1, bob).calls('POST', '/api/chat/blocks', { userId: ada.accountId });
      return {
        works: [
          () => arena.person(0, ada).calls('POST', '/api/chat/messages', text(bob.accountId)),
          thenCount(arena, block, conversationId),
        ],
        async check(results) {
          await expectNothingAfter(arena, conversationId, 1, results);
        },
      };
    },
  ),
  'a bot sends, and its application is disabled': sendAndForbid({
    forbid: ({ arena, bot }) =>
      arena.person(1, bot.owner).calls('POST', `/api/console/applications/${bot.appId}/disable`),
    guards: {
      'the key that was looked up before is still right': [
        [
          /sent\.version = \(select version/,
          'sent.version is not distinct from sent.version or 0 = (select version',
        ],
      ],
    },
  }),
  'a bot sends, and is removed from the group': sendAndRemove(() => ({}), {
    'the sender is a member': [
      [/and members\.account_id = sent\.sender_id/, 'and members.is_admin and sent.sender_id is not null'],
    ],
  }),
  'a bot mentions a member, and is removed from the group': sendAndRemove(
    ({ accountId }) => ({ mentionedUserIds: [accountId] }),
    { 'the shared lock of the group': [[/(order by bucket, group_id)\s+for share/, '$1']] },
  ),
  'two idempotent sends': race(
    {
      'the key is new, or has expired': [
        [/where (known\.created_at <= excluded\.created_at - \$\d+)/, 'where $1 or true'],
      ],
      'a stored message is left out': [
        [/on conflict \(bucket, conversation_id, msg_id\) do nothing( returning stored\.msg_id)/, '$1'],
      ],
    },
    async (arena) => {
      const { ada, bot, conversationId } = await withBot(arena);
      const before = await countMessages(arena, conversationId);
      const headers = { 'idempotency-key': 'one' };
      return {
        works: [0, 1].map(
          (server) => () =>
            arena.bot(server, bot).calls('POST', '/v1/messages', text(ada.accountId), headers),
        ),
        async check(results) {
          const [one, other] = results as [Answer, Answer];
          assert.deepEqual([one.status, other.status], [201, 201]);
          assert.deepEqual(one.body, other.body, 'the same answer');
          assert.equal(await countMessages(arena, conversationId), before + 1);
        },
      };
    },
  ),
  'idempotent sends while the person lifts a block': race({}, async (arena) => {
    const { ada, bot, conversationId } = await withBot(arena);
    await ada.blocks(bot);
    const before = await countMessages(arena, conversationId);
    const send = (server: number) => () =>
      arena.bot(server, bot).calls('POST', '/v1/messages', text(ada.accountId), { 'idempotency-key': 'one' });
    return {
      works: [
        send(0),
        () => arena.person(1, ada).calls('DELETE', '/api/chat/blocks', { userId: bot.accountId }),
        send(2),
        send(1),
      ],
      async check(results) {
        const sent = (results as Answer[]).filter((_, i) => i !== 1);
        const ids = new Set(sent.flatMap(({ status, body }) => (status === 201 ? [body.data.msgId] : [])));
        assert.ok(sent.every(({ status }) => status === 201 || status === 403));
        assert.ok(ids.size <= 1, 'one key, two messages');
        assert.equal(await countMessages(arena, conversationId), before + ids.size);
      },
    };
  }),
  'bots and people write in the same conversations': race({}, async (arena) => {
    const { world } = arena;
    const bot = await world.bot();
    const people = [await world.person(), await world.person()];
    // A side that has not written: the first message changes it.
    for (const one of people) {
      await one.blocks(bot);
      await one.unblocks(bot);
    }
    const sides = people.map(({ accountId }) => ({
      ...contactKey(accountId, bot.accountId),
      peerId: bot.accountId,
      wroteAt: 1,
    }));
    sides.sort((one, other) => other.bucket - one.bucket);
    const drafts = sides.map((side) => ({
      ...side,
      kind: 'private' as const,
      msgId: world.newId('msg'),
      senderId: bot.accountId,
      recipientId: side.accountId,
      field: 'to',
      content: { type: 'text' as const, body: { content: 'hi' }, replyToMsgId: undefined },
      topics: [],
      receivers: [],
    }));
    const [first, second] = arena.servers as [World, World];
    return {
      works: [
        () => first.db.begin((tx) => privatePermission(first).keep(tx, drafts)),
        () => second.db.begin((tx) => second.contacts.addWritten(tx, sides)),
      ],
      async check() {
        const rows = await world.contacts.find(sides);
        assert.deepEqual(
          rows.map(({ wroteAt }) => wroteAt),
          [1, 1],
        );
      },
    };
  }),
};
