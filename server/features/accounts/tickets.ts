import { openText, sealText } from '#platform/crypto/sealed-text.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { AccountDeps } from './deps.ts';

/** The purpose of a ticket; one of another purpose does not open. */
export type TicketPurpose =
  | 'second-factor'
  | 'password-reset'
  | 'email-confirmation'
  | 'device'
  | 'passkey-registration'
  | 'passkey-sign-in'
  | 'passkey-confirmation';

/** A verified ticket: it is valid until it expires, and can be used once. */
export interface Ticket<T> {
  ticketId: string;
  expiresAt: number;
  content: T;
}

const TICKET_ID_BYTES = 16;

/** The account (and session) that may use a ticket; undefined for strangers. */
export type Holder =
  | { accountId: string; sessionHash: Buffer }
  | { accountId: string; deviceEpoch: number }
  | undefined;

/**
 * The browser keeps it between a challenge and its answer: sealed, so that nothing is stored for challenges
 * that are never answered. A modified ticket is rejected.
 */
export function issueTicket<T>(
  { keyring, clock, random }: AccountDeps,
  { purpose, holder, lifetimeMs }: { purpose: TicketPurpose; holder: Holder; lifetimeMs: number },
  content: T,
): { ticket: string; expiresAt: number } {
  const expiresAt = clock.now() + lifetimeMs;
  const ticketId = random.bytes(TICKET_ID_BYTES).toString('base64url');
  const ticket: Ticket<T> = { ticketId, expiresAt, content };
  return { ticket: sealText(keyring, contextOf(purpose, holder), ticket), expiresAt };
}

/** Undefined for a ticket that has expired, has another purpose or holder, or is not ours. */
export function openTicket<T>(
  { keyring, clock }: Platform,
  { purpose, holder }: { purpose: TicketPurpose; holder: Holder },
  text: string,
): Ticket<T> | undefined {
  const ticket = openText<Ticket<T>>(keyring, contextOf(purpose, holder), text);
  return ticket && clock.now() < ticket.expiresAt ? ticket : undefined;
}

/** True for the first use of a ticket: of concurrent uses, the primary key lets one succeed. */
export async function redeemTicket(
  tx: Tx,
  accountId: string,
  { ticketId, expiresAt }: Ticket<unknown>,
): Promise<boolean> {
  const rows = await tx`
    insert into used_tickets (account_id, ticket_id, expires_at) values (${accountId}, ${ticketId}, ${expiresAt})
    on conflict (account_id, ticket_id) do nothing returning ticket_id`;
  return rows.length === 1;
}

/** One step of the worker: removes expired tickets, by a deletion over all shards. */
export async function removeExpiredTickets({ db, clock }: AccountDeps): Promise<void> {
  await db.begin(async (tx) => {
    await tx`delete from used_tickets where expires_at <= ${clock.now()}`;
  });
}

function contextOf(purpose: TicketPurpose, holder: Holder) {
  return { table: 'tickets', rowId: `${purpose}:${bearerOf(holder)}` };
}

function bearerOf(holder: Holder): string {
  if (!holder) return '';
  const { accountId } = holder;
  return 'deviceEpoch' in holder
    ? `${accountId}:${holder.deviceEpoch}`
    : `${accountId}:${holder.sessionHash.toString('hex')}`;
}
