import type { Peer } from '#contract/chat.ts';
import type { Account } from '../queries.ts';

/** An account as others see it; of a deleted one only that it is deleted (decisions: Identity). */
export function viewPeer(account: Account): Peer {
  const { accountId, name, isBot, username, pictureUrl, plainText, deletedAt } = account;
  const isDeleted = deletedAt !== null;
  return {
    userId: accountId,
    name: isDeleted ? (isBot ? 'Deleted bot' : 'Deleted account') : name,
    isBot,
    isDeleted,
    ...(username !== null && !isDeleted && { username }),
    ...(pictureUrl !== null && !isDeleted && { pictureUrl }),
    ...(plainText && { isPlainText: true as const }),
  };
}
