import type { AccountHook } from '#features/accounts/index.ts';
import { selectPollIds, selectPolls } from './queries.ts';
import type { PollDeps } from './service.ts';
import { openPollIfReadable, viewPolls } from './view.ts';

/** The polls that a person created or voted in, with the person's own choice, but not the votes of others. */
export function createPollAccountHook({
  db,
  keyring,
  messages,
}: Pick<PollDeps, 'db' | 'keyring' | 'messages'>): AccountHook {
  return {
    sections: {
      async *polls(accountId) {
        for (const { bucket, conversationId } of await messages.findListings(accountId)) {
          for (const msgId of await selectPollIds(db, { bucket, conversationId })) {
            const [row] = await selectPolls(db, [{ bucket, msgId }]);
            const opened = row && openPollIfReadable(keyring, row);
            if (row?.senderId === accountId && !opened)
              yield {
                msgId,
                conversationId,
                creatorId: accountId,
                createdAt: row.sentAt,
                isUnreadable: true,
              };
            const poll = opened && (await viewPolls(db, [opened], accountId)).get(msgId);
            if (!poll || (poll.creatorId !== accountId && poll.myOptionIds.length === 0)) continue;
            const options = poll.options.map(({ id, text, votes }) => ({ id, text, votes }));
            yield { ...poll, conversationId, options };
          }
        }
      },
    },
  };
}
