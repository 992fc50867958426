import assert from 'node:assert/strict';
import { deleteListings } from '#features/groups/members/queries.ts';
import { deleteMentions, deleteMentionsOf, type Mention } from '#features/messages/access/mention-queries.ts';
import { moveReadMarkers } from '#features/messages/access/read-markers.ts';
import type { Person, World } from '#testing/world.ts';
import type { Arena } from '../arena.ts';
import { type Guard, type Race, race } from '../race.ts';
import { countMessages, expectStatuses, expectWinners, pathOf, text, withBot } from './scenes.ts';

const MESSAGE_LOCK: Guard = [
  [
    /(from messages\s+where bucket = \$1 and conversation_id = \$2 and msg_id = \$3)\s+for no key update/,
    '$1',
  ],
];
const PINS_AT_MOST = 50;

export const MESSAGES: Record<string, Race> = {
  'a message is deleted while it is quoted': race({}, async (arena) => {
    const [ada, bob] = [await arena.world.person(), await arena.world.person()];
    const { msgId, conversationId } = await ada.writes(bob, 'hi');
    return {
      works: [
        () =>
          arena
            .person(0, bob)
            .calls('POST', '/api/chat/messages', { ...text(ada.accountId), replyToMsgId: msgId }),
        () => arena.person(1, ada).calls('DELETE', pathOf({ conversationId, msgId })),
      ],
      async check(results) {
        const [replied] = expectStatuses(results, [201, 404], 200);
        const [reply] = replied === 201 ? await bob.reads(ada) : [];
        assert.equal(
          JSON.stringify(reply ?? {}).includes('"hi"') && reply?.content !== 'hi',
          false,
          'the quote shows what was deleted',
        );
      },
    };
  }),
  'a conversation is deleted while a message comes': race({}, async (arena) => {
    const { ada, bot, conversationId } = await withBot(arena);
    return {
      works: [
        () => arena.bot(0, bot).calls('POST', '/v1/messages', text(ada.accountId, 'Sunny')),
        () => arena.person(1, ada).calls('DELETE', `/api/chat/conversations/${conversationId}`),
      ],
      async check(results) {
        expectStatuses(results, 201, 200);
        const { conversations } = await ada.gets('GET', '/api/chat/conversations');
        const listed = (conversations as { unreadCount: number }[]).map(({ unreadCount }) => unreadCount);
        const shown = (await ada.reads(bot)).map(({ content }) => content);
        // It goes with the conversation, or begins it again, entirely.
        assert.deepEqual([listed, shown], listed.length === 0 ? [[], []] : [[1], ['Sunny']]);
      },
    };
  }),
  'edit and delete': race({ 'the lock of the message': MESSAGE_LOCK }, async (arena) => {
    const { ada, bot } = await withBot(arena);
    const { msgId } = await bot.gets('POST', '/v1/messages', text(ada.accountId, 'Suny'));
    const conversationId = ada.accountId;
    return {
      works: [
        () => arena.bot(0, bot).calls('PATCH', `/v1/messages/${msgId}`, { conversationId, content: 'Sunny' }),
        () => arena.bot(1, bot).calls('DELETE', `/v1/messages/${msgId}`, { conversationId }),
      ],
      async check(results) {
        expectStatuses(results, [200, 404], 200);
        const [last] = await ada.reads(bot);
        assert.deepEqual([last?.msgId, last?.type, last?.content], [msgId, 'deleted', undefined]);
      },
    };
  }),
  'a person and a bot react to a message': race(
    { 'the lock of the message': MESSAGE_LOCK },
    async (arena) => {
      const { ada, bot } = await withBot(arena);
      const { msgId, conversationId } = await ada.writes(bot, 'Tea?');
      const body = { conversationId: ada.accountId, emoji: ['👍'] };
      return {
        works: [
          () => arena.bot(0, bot).calls('PUT', `/v1/messages/${msgId}/reactions`, body),
          () =>
            arena
              .person(1, ada)
              .calls('PUT', `${pathOf({ conversationId, msgId })}/reactions`, { emoji: ['👍'] }),
        ],
        async check(results) {
          expectStatuses(results, 200, 200);
          const [{ reactions } = {}] = await ada.reads(bot);
          assert.deepEqual(
            reactions?.given.map(({ userIds }) => userIds.toSorted()),
            [[ada.accountId, bot.accountId].sort()],
          );
        },
      };
    },
  ),
  'two people press a button that answers once': race(
    { 'the lock of the question': MESSAGE_LOCK },
    async (arena) => {
      const { ada, bot } = await withBot(arena);
      const bob = await arena.world.person();
      const groupId = await ada.makesGroup([bob, bot]);
      const { msgId } = await bot.gets('POST', '/v1/messages/group', {
        groupId,
        type: 'text',
        content: 'Soup?',
        quickReplies: { buttons: [{ label: 'Yes' }, { label: 'No' }], once: true },
      });
      const before = await countMessages(arena, groupId);
      const path = `${pathOf({ conversationId: groupId, msgId })}/quick-replies`;
      return {
        works: [ada, bob].map(
          (one: Person, i) => () => arena.person(i, one).calls('POST', path, { button: i }),
        ),
        async check(results) {
          expectWinners(results, 1, 400);
          assert.equal(await countMessages(arena, groupId), before + 1);
        },
      };
    },
  ),
  'the last place for a pinned message': race(
    {
      'the lock of the conversation': [
        [/(from contacts where [^;]*order by account_id) for no key update/, '$1'],
      ],
    },
    async (arena) => {
      const [ada, bob] = [await arena.world.person(), await arena.world.person()];
      const messages = [await ada.writes(bob, 'one'), await ada.writes(bob, 'two')];
      const { conversationId } = messages[0] as NonNullable<(typeof messages)[0]>;
      const { db } = arena.world;
      const pinned = db<{ bucket: number; msgId: string }[]>`
      with filler as (
        insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, sent_at)
        select bucket, conversation_id, msg_id || i, sender_id, type, body, body_key_id, sent_at
        from messages, generate_series(2, ${PINS_AT_MOST}::integer) as i where msg_id = ${messages[0]?.msgId ?? ''}
        returning *
      ) select * from filler`;
      for (const { bucket, msgId } of await pinned)
        await db`
        insert into pinned_messages (bucket, conversation_id, msg_id, pinned_by, pinned_at)
        values (${bucket}, ${conversationId}, ${msgId}, ${ada.accountId}, 0)`;
      return {
        works: messages.map(
          ({ msgId }, i) =>
            () =>
              arena
                .person(i, i === 0 ? ada : bob)
                .calls('PUT', `${pathOf({ conversationId, msgId })}/pin`, {}),
        ),
        async check(results) {
          expectWinners(results, 1, 400);
        },
      };
    },
  ),
  'a conversation is read on two devices': race(
    {
      'the marker goes forward only': [
        [/and \(listed\.read_msg_id is null or listed\.read_msg_id < [^)]*\)/, ''],
      ],
    },
    async (arena) => {
      const [ada, bob] = [await arena.world.person(), await arena.world.person()];
      const messages = [await ada.writes(bob, 'one'), await ada.writes(bob, 'two')];
      const { conversationId } = messages[0] as NonNullable<(typeof messages)[0]>;
      const path = `/api/chat/conversations/${conversationId}/read`;
      return {
        works: messages.map(
          ({ msgId }, i) =>
            () =>
              arena.person(i, bob).calls('POST', path, { msgId }),
        ),
        async check(results) {
          expectStatuses(results, 200, 200);
          const rows = await arena.world.db<{ readMsgId: string }[]>`
          select read_msg_id from account_conversations
          where account_id = ${bob.accountId} and conversation_id = ${conversationId}`;
          assert.equal(rows[0]?.readMsgId, messages[1]?.msgId);
        },
      };
    },
  ),
  'a message is deleted while those whom it mentions read': race({}, async (arena) => {
    const { people, read } = await withMentions(arena);
    return {
      works: [
        // Whom it mentions stands in the message in the order of its author.
        () => arena.world.db.begin((tx) => deleteMentions(tx, people.toReversed())),
        () => read(people),
      ],
      check: () => expectNoMentions(arena, people),
    };
  }),
  'a group is left while something is begun there': race({}, async (arena) => {
    const [ada, bob] = [await arena.world.person(), await arena.world.person()];
    const groupId = await ada.makesGroup([bob]);
    return {
      works: [
        () => arena.world.db.begin((tx) => deleteListings(tx, groupId, [bob.accountId])),
        () => arena.person(1, bob).calls('PUT', `/api/chat/conversations/${groupId}/draft`, { text: 'Hel' }),
      ],
      async check([, drafted]) {
        expectStatuses([drafted], [200, 404]);
        const left = await arena.world.db`select from drafts where account_id = ${bob.accountId}`;
        assert.equal(left.length, 0);
      },
    };
  }),
  'an account ends while it reads where it is mentioned': race({}, async (arena) => {
    const { people, read } = await withMentions(arena);
    const [mention] = people as [Mention];
    const { accountId, conversationId } = mention;
    return {
      works: [
        // It leaves its groups, then its messages go.
        () =>
          arena.world.db.begin(async (tx) => {
            await deleteListings(tx, conversationId, [accountId]);
            await deleteMentionsOf(tx, accountId);
          }),
        () => read([mention]),
      ],
      check: () => expectNoMentions(arena, [mention]),
    };
  }),
};

/** Two members of a group who are mentioned, in the order of their ids, and how both are marked as having read. */
async function withMentions({ world, servers }: Arena) {
  const [ada, bob, cyd] = [await world.person(), await world.person(), await world.person()];
  const conversationId = await ada.makesGroup([bob, cyd]);
  const mentionedUserIds = [bob.accountId, cyd.accountId];
  const { msgId } = await ada.writesIn(conversationId, { type: 'text', content: 'hi', mentionedUserIds });
  const { db, shards } = servers[1] as World;
  return {
    people: mentionedUserIds.map((accountId): Mention => ({ accountId, conversationId, msgId })),
    read: (people: Mention[]) => moveReadMarkers(db, shards, people),
  };
}

async function expectNoMentions({ world }: Arena, people: readonly Mention[]): Promise<void> {
  const [first] = people as [Mention];
  const left = await world.db`
    select from mentions where conversation_id = ${first.conversationId}
      and account_id = any(${people.map(({ accountId }) => accountId)})`;
  assert.equal(left.length, 0);
}
