import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { insertPerson, updateAccountPicture } from '../queries.ts';
import type { Email } from '../rules.ts';
import { type IdentityRow, insertIdentity } from './proven.ts';

interface ManagedAccount extends Pick<IdentityRow, 'accountId' | 'issuer' | 'subject'> {
  email: Email;
  /** Whether the provider has confirmed the address. */
  isConfirmed: boolean;
  name: string;
  pictureUrl?: string | undefined;
  /** As the provider announces the person; else the address. */
  userName?: string;
  externalId?: string | undefined;
}

/** An account without a password, which a provider makes. False if somebody has the address. */
export async function insertManagedAccount(
  tx: Tx,
  { clock }: Pick<Platform, 'clock'>,
  { accountId, issuer, subject, email, isConfirmed, name, pictureUrl, ...announced }: ManagedAccount,
): Promise<boolean> {
  const at = clock.now();
  if (!(await insertPerson(tx, { accountId, name, email, passwordHash: null, createdAt: at }))) return false;
  if (isConfirmed) await tx`update accounts set email_confirmed_at = ${at} where account_id = ${accountId}`;
  if (pictureUrl !== undefined) await updateAccountPicture(tx, accountId, pictureUrl);
  return insertIdentity(tx, {
    ...{ accountId, issuer, subject, isManaged: true, connectedAt: at },
    userName: announced.userName ?? email.address,
    externalId: announced.externalId ?? null,
    lastUsedAt: subject === null ? null : at,
  });
}
