import type { AccountProfile } from '#contract/accounts/me.ts';
import type { Peer } from '#contract/chat.ts';
import { publicFileUrl } from '#platform/files/upload-links.ts';
import type { Platform } from '#platform/platform.ts';
import { SERVICE_ACCOUNT_ID } from './built-in-account.ts';
import type { Account } from './queries.ts';

/** An account as others see it; of a deleted one only that it is deleted (decisions: Identity). */
export function viewPeer({
  accountId,
  name,
  isBot,
  username,
  pictureUrl,
  plainText,
  deletedAt,
}: Omit<Account, 'appId' | 'whoMayAddMe' | 'isTestPerson'>): Peer {
  const isDeleted = deletedAt !== null;
  return {
    userId: accountId,
    name: isDeleted ? (isBot ? 'Deleted bot' : 'Deleted account') : name,
    isBot,
    isDeleted,
    ...(username !== null && !isDeleted && { username }),
    ...(pictureUrl !== null && !isDeleted && { pictureUrl }),
    ...(plainText && { isPlainText: true as const }),
    ...(accountId === SERVICE_ACCOUNT_ID && { isService: true as const }),
  };
}

/** The same for bots, which reach a picture only at a full address. */
export function viewAccount(
  config: Pick<Platform['config'], 'publicUrl' | 'port'>,
  account: Account,
): AccountProfile {
  const { userId, name, isBot, username, pictureUrl } = viewPeer(account);
  return {
    userId,
    isBot,
    name,
    ...(username !== undefined && { username }),
    ...(pictureUrl !== undefined && { picture: publicFileUrl(config, pictureUrl) }),
  };
}
