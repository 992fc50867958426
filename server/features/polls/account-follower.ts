import type { AccountFollower } from '#features/accounts/follower.ts';
import { selectListings } from '#features/messages/own-data-queries.ts';
import type { Platform } from '#platform/platform.ts';
import { selectPollIds } from './queries.ts';
import { findPollView } from './service.ts';

/** The polls that a person asked or voted in, with the person's own choice; how others voted is theirs. */
export function createPollAccountFollower(deps: Pick<Platform, 'db' | 'keyring'>): AccountFollower {
  const { db } = deps;
  return {
    sections: {
      async *polls(accountId) {
        for (const { bucket, conversationId } of await selectListings(db, accountId)) {
          for (const msgId of await selectPollIds(db, { bucket, conversationId })) {
            const poll = await findPollView(deps, { bucket, msgId }, accountId);
            if (!poll || (poll.creatorId !== accountId && poll.myOptionIds.length === 0)) continue;
            const options = poll.options.map(({ id, text, votes }) => ({ id, text, votes }));
            yield { ...poll, conversationId, options };
          }
        }
      },
    },
  };
}
