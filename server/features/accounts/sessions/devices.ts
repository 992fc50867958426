import type { Db } from '#platform/database.ts';
import type { AccountDeps } from '../deps.ts';
import { selectDeviceEpoch } from '../queries.ts';
import { DEVICE_LIFETIME_MS } from '../rules.ts';
import type { Visitor } from '../throttle/throttle.ts';
import { issueTicket, openTicket } from '../tickets.ts';

/** Stored by a browser in which the account has signed in. It is not a credential. */
export interface DeviceMark {
  accountId: string;
  token: string;
}

/**
 * Marks a browser in which the account has signed in, so that wrong guesses of strangers do not block it
 * (OWASP device cookie). Sealed, and valid until the account's device epoch changes.
 */
export async function markDevice(db: Db, platform: AccountDeps, accountId: string): Promise<DeviceMark> {
  const deviceEpoch = await selectDeviceEpoch(db, accountId);
  const holder = { accountId, deviceEpoch };
  const { ticket } = issueTicket(platform, { purpose: 'device', holder, lifetimeMs: DEVICE_LIFETIME_MS }, {});
  return { accountId, token: ticket };
}

/** The id of the visitor's device, if the account has signed in on it and its cookie is still valid. */
export async function findKnownDevice(
  deps: AccountDeps,
  visitor: Visitor,
  accountId: string,
): Promise<string | undefined> {
  const token = visitor.deviceToken(accountId);
  if (token === undefined) return undefined;
  const holder = { accountId, deviceEpoch: await selectDeviceEpoch(deps.db, accountId) };
  return openTicket(deps, { purpose: 'device', holder }, token)?.ticketId;
}
