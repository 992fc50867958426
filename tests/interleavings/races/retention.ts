import assert from 'node:assert/strict';
import { SLICE } from '#features/messages/retention/expire.ts';
import { clearQuotes, deleteMessages, lockOldest } from '#features/messages/retention/queries.ts';
import type { Tx } from '#platform/database.ts';
import { bucketOf, privateConversationId } from '#platform/ids.ts';
import type { Answer } from '#testing/answers.ts';
import type { Arena } from '../arena.ts';
import { type Race, race } from '../race.ts';
import { expectStatuses, text, withBot } from './scenes.ts';

/** All messages of a conversation expire while one of them is quoted. */
function whileItExpires(
  setUp: (arena: Arena) => Promise<{ conversationId: string; quote: () => Promise<Answer> }>,
): Race {
  return race({}, async (arena) => {
    const { conversationId, quote } = await setUp(arena);
    const key = { bucket: bucketOf(conversationId), conversationId };
    const expire = async (tx: Tx) => {
      const rows = await lockOldest(tx, key, { before: 'msg_~', limit: SLICE });
      const msgIds = rows.map(({ msgId }) => msgId);
      await clearQuotes(tx, key, msgIds);
      await deleteMessages(tx, key, msgIds);
    };
    return {
      works: [() => arena.world.db.begin(expire), quote],
      async check([, quoted]) {
        expectStatuses([quoted], [201, 404]);
      },
    };
  });
}

export const RETENTION: Record<string, Race> = {
  'two workers remove messages with the same files': race({}, async (arena) => {
    const { world, servers } = arena;
    const [ada, ...others] = [await world.person(), await world.person(), await world.person()];
    const urls: string[] = [];
    for (const name of ['a', 'b']) {
      const mediaId = world.random.bytes(20).toString('base64url');
      await world.db`
        insert into media (media_id, owner_id, kind, content_type, file_name, file_name_key_id, size, created_at)
        values (${mediaId}, ${ada.accountId}, 'document', 'text/plain', '', 1, 1, ${world.clock.now()})`;
      urls.push(`/media/${mediaId}/${name}.txt`);
    }
    for (const [i, { accountId }] of others.entries()) {
      for (const fileUrl of i === 0 ? urls : urls.toReversed())
        await ada.writes({ accountId }, { type: 'doc', fileUrl });
      const conversationId = privateConversationId(ada.accountId, accountId);
      await world.db`
        insert into conversation_retention (bucket, conversation_id, lifetime_days)
        values (${bucketOf(conversationId)}, ${conversationId}, -1)`;
    }
    return {
      works: servers.slice(0, 2).map(
        ({ messages }) =>
          () =>
            messages.openExpiry().finish(),
      ),
      async check() {
        const left =
          await world.db`select from media where owner_id = ${ada.accountId} and released_at is null`;
        assert.equal(left.length, 0);
        await world.db`delete from conversation_retention`;
      },
    };
  }),
  'a message expires while a person quotes it': whileItExpires(async (arena) => {
    const [ada, bob] = [await arena.world.person(), await arena.world.person()];
    const { conversationId, msgId } = await ada.writes(bob, 'hi');
    const reply = { ...text(ada.accountId), replyToMsgId: msgId };
    return { conversationId, quote: () => arena.person(1, bob).calls('POST', '/api/chat/messages', reply) };
  }),
  'a message expires while a bot quotes it': {
    ...whileItExpires(async (arena) => {
      const { ada, bot } = await withBot(arena);
      const { conversationId, msgId } = await ada.writes(bot, 'hi');
      const reply = { ...text(ada.accountId), replyToMsgId: msgId };
      return { conversationId, quote: () => arena.bot(1, bot).calls('POST', '/v1/messages', reply) };
    }),
    guards: { 'the lock of the quoted message': [[/for key share(?=\s*\))/, '']] },
  },
};
