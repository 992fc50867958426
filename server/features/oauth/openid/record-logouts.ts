import type { Tx } from '#platform/database.ts';
import { selectSignIns, upsertNotice } from './logout/queries.ts';
import { selectOpenIdClients } from './settings-queries.ts';

/**
 * In the transaction that ends or holds these grants, and before it does: each application that wants to know is told that
 * the person's session is over, by one logout token for each sign-in.
 */
export async function recordLogouts(tx: Tx, familyIds: string[]): Promise<void> {
  const signIns = await selectSignIns(tx, familyIds);
  if (signIns.length === 0) return;
  const clients = await selectOpenIdClients(tx, [...new Set(signIns.map(({ appId }) => appId))]);
  const told = new Set(clients.filter(({ logoutUrl }) => logoutUrl !== null).map(({ appId }) => appId));
  const distinct = new Map(signIns.map((signIn) => [`${signIn.appId} ${signIn.signInId}`, signIn]));
  for (const signIn of distinct.values()) if (told.has(signIn.appId)) await upsertNotice(tx, signIn);
}
