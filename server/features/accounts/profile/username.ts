import type { Tx } from '#platform/database.ts';
import { alreadyExists, invalidArgument } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { deleteUniqueName, insertUniqueName, lockAccount } from '../queries.ts';
import { findServiceName } from '../rules.ts';
import { sessionEnded } from '../sessions/session.ts';
import { selectProfile, updateUsername } from './queries.ts';

/**
 * Sets, changes or removes a person's username. The previous one is free from then on; those of bots stay
 * reserved forever.
 *
 * @throws ApiError 400 for the name of the service, 409 when somebody else has it
 */
export async function changeUsername(
  tx: Tx,
  { config }: Pick<Platform, 'config'>,
  accountId: string,
  username: string | null,
): Promise<void> {
  const word = username === null ? undefined : findServiceName(username, config);
  if (word !== undefined) throw invalidArgument('username', 'reserved-word', { word });
  if (!(await lockAccount(tx, accountId))) throw sessionEnded();
  const before = (await selectProfile(tx, accountId))?.username ?? null;
  if (before === username) return;
  await freeUsername(tx, accountId, before);
  const name = { value: username ?? '', kind: 'username' as const, ownerId: accountId };
  if (username !== null && !(await insertUniqueName(tx, name))) throw alreadyExists('person.username-taken');
  await updateUsername(tx, accountId, username);
}

/** It can no longer be looked up. */
export async function freeUsername(tx: Tx, accountId: string, username: string | null): Promise<void> {
  if (username !== null)
    await deleteUniqueName(tx, { value: username, kind: 'username', ownerId: accountId });
}
