import type { Role, TeamRole } from '#contract/applications/team.ts';
import type { Application, ApplicationSummary } from '#contract/applications.ts';
import { type Person, sessionIdOf } from '#features/accounts/index.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import type { Db, Tx } from '#platform/database.ts';
import { type ApiError, notFound, permissionDenied } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { findRedirectUris } from './addresses/redirect-uri-queries.ts';
import { hasWebhookUrl, openWebhookUrl } from './addresses/webhook-url.ts';
import type { Change } from './audit/record.ts';
import { viewKey } from './credentials/api-key.ts';
import { findLiveKeys } from './credentials/key-queries.ts';
import { openPreviousWebhookSecret, openWebhookSecret } from './credentials/secrets.ts';
import { selectExtensions } from './extensions/queries.ts';
import {
  type ApplicationRow,
  type DeliveryRow,
  findApplication,
  findApplications,
  findForDelivery,
  findOwnedIds,
  type LockedApplication,
  lockApplication,
} from './queries.ts';
import { mayActAs } from './rules.ts';
import { findTeamIds, findTeamRole } from './team/queries.ts';

/** Who wants something of an application, as its owner or teammate, and by which way the person comes. */
export interface Owned extends Change {
  ownerId: string;
}

/** An application of whoever is signed in. */
export function ownedBy(person: Pick<Person, 'accountId' | 'sessionHash'>, appId: string): Owned {
  return { ownerId: person.accountId, appId, sessionId: sessionIdOf(person) };
}

/**
 * An application that this person owns or works on, whatever its state but deleted. Somebody else's is as good as none.
 * Reading is for viewers too; what they may not do, the surface refuses and {@link lockOwnApplication}.
 */
export async function findOwnApplication(
  db: Db,
  { ownerId, appId }: Owned,
): Promise<ApplicationRow | undefined> {
  const row = isId('app', appId) ? await findApplication(db, appId) : undefined;
  return row && (await findRoleIn(db, row, ownerId)) ? row : undefined;
}

/** The person's role in an application; undefined for a stranger, and when it is deleted. */
export async function findRole(db: Db, appId: string, accountId: string): Promise<Role | undefined> {
  const row = isId('app', appId) ? await findApplication(db, appId) : undefined;
  return row && findRoleIn(db, row, accountId);
}

async function findRoleIn(
  db: Db,
  { appId, ownerId, state }: ApplicationRow,
  accountId: string,
): Promise<Role | undefined> {
  if (state === 'deleted') return undefined;
  return ownerId === accountId ? 'owner' : findTeamRole(db, appId, accountId);
}

/** @throws ApiError 404 */
export async function requireOwnApplication(db: Db, own: Owned): Promise<ApplicationRow> {
  const row = await findOwnApplication(db, own);
  if (!row) throw applicationNotFound();
  return row;
}

/**
 * The same, locked: nobody changes it or what hangs on it beside this transaction.
 *
 * @throws ApiError 404
 */
export async function lockOwnApplication(
  tx: Tx,
  { ownerId, appId }: Owned,
  needed: TeamRole = 'developer',
): Promise<ApplicationRow & LockedApplication> {
  const row = isId('app', appId) ? await lockApplication(tx, appId) : undefined;
  const role = row && (await findRoleIn(tx, row, ownerId));
  if (!row || !role) throw applicationNotFound();
  if (!mayActAs(role, needed)) throw permissionDenied('team.needs-role', { role: needed });
  return row;
}

/** The same for the platform team, whoever owns it and whatever its state. */
export async function lockAnyApplication(tx: Tx, appId: string): Promise<ApplicationRow & LockedApplication> {
  const row = isId('app', appId) ? await lockApplication(tx, appId) : undefined;
  if (!row) throw noSuchApplication(appId);
  return row;
}

export function noSuchApplication(appId: string): ApiError {
  return notFound('application.not-there', { appId });
}

export function applicationNotFound(): ApiError {
  return notFound('application.unknown');
}

/** The applications that a person works on but does not own. */
export async function listTeamApplications(
  db: Db,
  accountId: string,
): Promise<(ApplicationSummary & { role: Role })[]> {
  const rows = await findApplications(db, await findTeamIds(db, accountId));
  const roles = await Promise.all(rows.map((row) => findRoleIn(db, row, accountId)));
  return rows.flatMap((row, i) => {
    const role = roles[i];
    return role ? [{ ...summarize(row), role }] : [];
  });
}

/** The applications of a person, in the order of their creation. */
export async function listApplications(db: Db, ownerId: string): Promise<ApplicationSummary[]> {
  const rows = await findApplications(db, await findOwnedIds(db, ownerId));
  return rows.map(summarize);
}

/** @throws ApiError 404 */
export async function showApplication(
  { db, clock, keyring }: Pick<Platform, 'db' | 'clock' | 'keyring'>,
  own: Owned,
): Promise<Application> {
  const now = clock.now();
  const row = await findOwnApplication(db, own);
  if (!row) throw applicationNotFound();
  const [keys, redirectUris, extensions, role] = await Promise.all([
    findLiveKeys(db, row.appId),
    findRedirectUris(db, row.appId),
    selectExtensions(db, row.appId),
    findRoleIn(db, row, own.ownerId),
  ]);
  // Taken out of the team between the two reads.
  if (!role) throw applicationNotFound();
  return {
    ...summarize(row),
    role,
    apiKeys: keys.map(viewKey),
    clientSecretCreatedAt: row.clientSecretCreatedAt ?? row.createdAt,
    webhookSecret: {
      createdAt: row.webhookSecretCreatedAt ?? row.createdAt,
      ...(isOverlapping(row, now) && { previousSignsUntil: row.previousWebhookSecretUntil }),
    },
    ...viewWebhookUrl(keyring, row),
    redirectUris,
    extensions,
    requestsPerMinute: row.requestsPerMinute,
  };
}

function viewWebhookUrl(
  keyring: Keyring,
  row: ApplicationRow,
): Pick<Application, 'webhookUrl' | 'isWebhookUrlUnreadable'> {
  if (!hasWebhookUrl(row)) return {};
  const webhookUrl = openWebhookUrl(keyring, row.appId, row);
  return webhookUrl === undefined ? { isWebhookUrlUnreadable: true } : { webhookUrl };
}

/** @throws ApiError 404 */
export async function findOwnRedirectUris(db: Db, own: Owned): Promise<string[]> {
  if (!(await findOwnApplication(db, own))) throw applicationNotFound();
  return findRedirectUris(db, own.appId);
}

function isOverlapping<T extends Pick<ApplicationRow, 'previousWebhookSecretUntil'>>(
  row: T,
  now: number,
): row is T & { previousWebhookSecretUntil: number } {
  return row.previousWebhookSecretUntil !== null && row.previousWebhookSecretUntil > now;
}

function summarize({ appId, name, state, createdAt }: ApplicationRow): ApplicationSummary {
  return { appId, name, state: state as ApplicationSummary['state'], createdAt };
}

/** An application as the delivery of its events needs it. */
export interface DeliveryApplication {
  appId: string;
  state: ApplicationSummary['state'];
  hasWebhookUrl: boolean;
  /** Undefined when there is none, and when it cannot be read. */
  webhookUrl: string | undefined;
  /**
   * As displayed: its UTF-8 bytes key the contract's signature, its base64 part that of Standard Webhooks. Undefined when
   * it cannot be read.
   */
  webhookSecret: string | undefined;
  /** The one before, which signs along until then; there when the owner asked for an overlap. */
  previousWebhookSecret?: { secret: string; until: number };
}

/** Who owns an application that is not deleted. @throws ApiError 404 */
export async function findOwnerId(db: Db, appId: string): Promise<string> {
  const row = await findApplication(db, appId);
  if (!row || row.state === 'deleted') throw applicationNotFound();
  return row.ownerId;
}

/** As it is at this moment, secret in clear; undefined when there is none or it is deleted. */
export async function findApplicationForDelivery(
  deps: Pick<Platform, 'db' | 'keyring'>,
  appId: string,
): Promise<DeliveryApplication | undefined> {
  const [application] = await findApplicationsForDelivery(deps, [appId]);
  return application;
}

/** Those of the given applications that are not deleted, as they are at this moment, secrets in clear. */
export async function findApplicationsForDelivery(
  { db, keyring }: Pick<Platform, 'db' | 'keyring'>,
  appIds: string[],
): Promise<DeliveryApplication[]> {
  const rows = await findForDelivery(db, appIds);
  return rows.map((row) => ({
    appId: row.appId,
    state: row.state,
    hasWebhookUrl: hasWebhookUrl(row),
    webhookUrl: openWebhookUrl(keyring, row.appId, row),
    webhookSecret: openWebhookSecret(keyring, row.appId, {
      keyId: row.webhookSecretKeyId,
      ciphertext: row.webhookSecret,
    }),
    ...openPreviousSecret(keyring, row),
  }));
}

function openPreviousSecret(
  keyring: Keyring,
  {
    appId,
    previousWebhookSecret: ciphertext,
    previousWebhookSecretKeyId: keyId,
    previousWebhookSecretUntil: until,
  }: DeliveryRow,
): Pick<DeliveryApplication, 'previousWebhookSecret'> {
  if (ciphertext === null || keyId === null || until === null) return {};
  const secret = openPreviousWebhookSecret(keyring, appId, { keyId, ciphertext });
  return secret === undefined ? {} : { previousWebhookSecret: { secret, until } };
}

/** Whether an application takes events. */
export type EventReceiver = Pick<DeliveryApplication, 'appId' | 'state' | 'hasWebhookUrl'>;

/** Those of the given applications that are not deleted; a read over many shards, for the bots of a group. */
export async function findEventReceivers(db: Db, appIds: string[]): Promise<EventReceiver[]> {
  const rows = await findApplications(db, appIds);
  return rows.map((row) => ({ ...summarize(row), hasWebhookUrl: hasWebhookUrl(row) }));
}
