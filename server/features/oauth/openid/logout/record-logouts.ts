import type { Tx } from '#platform/database.ts';
import { selectOpenIdClients } from '../settings-queries.ts';
import { selectSignIns, upsertNotice } from './queries.ts';

/**
 * In the transaction that ends or suspends these grants, before it does: queues one logout token per sign-in
 * for each application with a logout address.
 */
export async function recordLogouts(tx: Tx, familyIds: string[]): Promise<void> {
  const signIns = await selectSignIns(tx, familyIds);
  if (signIns.length === 0) return;
  const clients = await selectOpenIdClients(tx, [...new Set(signIns.map(({ appId }) => appId))]);
  const notified = new Set(clients.filter(({ logoutUrl }) => logoutUrl !== null).map(({ appId }) => appId));
  const distinct = new Map(signIns.map((signIn) => [`${signIn.appId} ${signIn.signInId}`, signIn]));
  for (const signIn of distinct.values()) if (notified.has(signIn.appId)) await upsertNotice(tx, signIn);
}
