import type { Role, TeamRole } from '#contract/applications/team.ts';
import type { Application, ApplicationSummary } from '#contract/applications.ts';
import { type Person, sessionIdOf } from '#features/accounts/index.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import type { Db, Tx } from '#platform/database.ts';
import { type ApiError, notFound, permissionDenied } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { findRedirectUris, hasWebhookUrl, openWebhookUrl } from './addresses.ts';
import type { Change } from './audit/record.ts';
import { findLiveKeys } from './credentials/key-queries.ts';
import { openPreviousWebhookSecret, openWebhookSecret, viewKey } from './credentials/secrets.ts';
import type { ApplicationDeps } from './deps.ts';
import { selectExtensions } from './extensions/in-use.ts';
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

/** An application and the person who acts on it, as owner or team member, with the channel. */
export interface Owned extends Change {
  actorId: string;
}

/** An application of the signed-in person. */
export function ownedBy(person: Pick<Person, 'accountId' | 'sessionHash'>, appId: string): Owned {
  return { actorId: person.accountId, appId, sessionId: sessionIdOf(person) };
}

/**
 * An undeleted application that this person owns or works on; undefined for anybody else's. Viewers may read; what they may
 * not do is refused by the surface and by {@link lockOwnApplication}.
 */
export async function findOwnApplication(
  db: Db,
  { actorId, appId }: Owned,
): Promise<ApplicationRow | undefined> {
  const row = isId('app', appId) ? await findApplication(db, appId) : undefined;
  return row && (await findRoleIn(db, row, actorId)) ? row : undefined;
}

/** The person's role in an application; undefined if the person is not in the team or the application is deleted. */
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
 * The same, locked together with its dependent rows.
 *
 * @throws ApiError 404
 */
export async function lockOwnApplication(
  tx: Tx,
  { actorId, appId }: Owned,
  needed: TeamRole = 'developer',
): Promise<ApplicationRow & LockedApplication> {
  const row = isId('app', appId) ? await lockApplication(tx, appId) : undefined;
  const role = row && (await findRoleIn(tx, row, actorId));
  if (!row || !role) throw applicationNotFound();
  if (!mayActAs(role, needed)) throw permissionDenied('team.needs-role', { role: needed });
  return row;
}

/** The same for operators, whoever owns it and whatever its state. */
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

/** The applications of a person, in order of creation. */
export async function listApplications(db: Db, ownerId: string): Promise<ApplicationSummary[]> {
  const rows = await findApplications(db, await findOwnedIds(db, ownerId));
  return rows.map(summarize);
}

/** @throws ApiError 404 */
export async function showApplication(
  { db, clock, keyring }: ApplicationDeps,
  own: Owned,
): Promise<Application> {
  const row = await requireOwnApplication(db, own);
  const { previousWebhookSecretUntil: until } = row;
  const [keys, redirectUris, extensions, role] = await Promise.all([
    findLiveKeys(db, row.appId),
    findRedirectUris(db, row.appId),
    selectExtensions(db, row.appId),
    findRoleIn(db, row, own.actorId),
  ]);
  // The person was removed from the team between the two reads.
  if (!role) throw applicationNotFound();
  return {
    ...summarize(row),
    role,
    apiKeys: keys.map(viewKey),
    clientSecretCreatedAt: row.clientSecretCreatedAt ?? row.createdAt,
    webhookSecret: {
      createdAt: row.webhookSecretCreatedAt ?? row.createdAt,
      ...(until !== null && until > clock.now() && { previousSignsUntil: until }),
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

function summarize({ appId, name, state, createdAt }: ApplicationRow): ApplicationSummary {
  return { appId, name, state: state as ApplicationSummary['state'], createdAt };
}

/** The parts of an application that deliveries need. */
export interface DeliveryApplication {
  appId: string;
  state: ApplicationSummary['state'];
  hasWebhookUrl: boolean;
  /** Undefined when there is none, and when it cannot be read. */
  webhookUrl: string | undefined;
  /**
   * As displayed: its UTF-8 bytes are the key of the contract's signature, its base64 part that of Standard Webhooks.
   * Undefined if it cannot be decrypted.
   */
  webhookSecret: string | undefined;
  /** The previous secret, which also signs until then, if the owner asked for an overlap. */
  previousWebhookSecret?: { secret: string; until: number };
}

/** The owner of an application. @throws ApiError 404, also for a deleted one */
export async function findOwnerId(db: Db, appId: string): Promise<string> {
  const row = await findApplication(db, appId);
  if (!row || row.state === 'deleted') throw applicationNotFound();
  return row.ownerId;
}

/** The current state of the given applications without deleted ones, secrets in plain text. */
export async function findApplicationsForDelivery(
  { db, keyring }: Platform,
  appIds: string[],
): Promise<DeliveryApplication[]> {
  const rows = await findForDelivery(db, appIds);
  return rows.map((row) => ({
    appId: row.appId,
    state: row.state,
    hasWebhookUrl: hasWebhookUrl(row),
    webhookUrl: openWebhookUrl(keyring, row.appId, row),
    webhookSecret: openWebhookSecret(keyring, row.appId, row),
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

/** Whether an application receives events. */
export type EventReceiver = Pick<DeliveryApplication, 'appId' | 'state' | 'hasWebhookUrl'>;

/** The given applications without deleted ones; a read over many shards, for the bots of a group. */
export async function findEventReceivers(db: Db, appIds: string[]): Promise<EventReceiver[]> {
  const rows = await findApplications(db, appIds);
  return rows.map((row) => ({ ...summarize(row), hasWebhookUrl: hasWebhookUrl(row) }));
}
