import type { Tx } from '#platform/database.ts';

export interface UsedTicket {
  accountId: string;
  ticketId: string;
  expiresAt: number;
}

/** False when it was used before. */
export async function insertUsedTicket(
  tx: Tx,
  { accountId, ticketId, expiresAt }: UsedTicket,
): Promise<boolean> {
  const rows = await tx`
    insert into used_tickets (account_id, ticket_id, expires_at) values (${accountId}, ${ticketId}, ${expiresAt})
    on conflict (account_id, ticket_id) do nothing returning ticket_id`;
  return rows.length === 1;
}

/** A deletion over all shards, for the worker that sweeps. */
export async function deleteExpiredTickets(tx: Tx, now: number): Promise<void> {
  await tx`delete from used_tickets where expires_at <= ${now}`;
}

export async function deleteTicketsOf(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from used_tickets where account_id = ${accountId}`;
}
