import { LIMITS } from '#contract/limits.ts';
import type { Scope } from '#contract/scopes.ts';
import type { Db, Tx } from '#platform/database.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import {
  findRedirectUris,
  hasWebhookUrl,
  insertRedirectUri,
  openWebhookUrl,
  storeWebhookUrl,
} from './addresses.ts';
import { findLiveKeys, insertKey } from './credentials/key-queries.ts';
import { makeWebhookSecret, openWebhookSecret, sealWebhookSecret } from './credentials/secrets.ts';
import {
  type ApplicationRow,
  addApplication,
  findApplication,
  findOwnedIds,
  findSecrets,
  findWebhookUrls,
  type LockedApplication,
  updateWebhookUrl,
} from './queries.ts';

/** An application to be moved to another server, with the hashes of its credentials. */
export interface PortableApplication {
  name: string;
  redirectUris: string[];
  webhookUrl: string | null;
  webhookSecret: string;
  clientSecretHash: Buffer | null;
  apiKeys: { keyHash: Buffer; name: string; scopes: Scope[] }[];
}

/** Exports applications for the operator's commands, without a running server. */
export function openPortableApplications({ db, keyring }: { db: Db; keyring: Platform['keyring'] }) {
  return {
    exists: (appId: string) => isApplicationHere(db, appId),
    /** @throws Error if it does not exist or its secrets cannot be decrypted */
    async read(appId: string): Promise<PortableApplication> {
      const row = isId('app', appId) ? await findSecrets(db, appId) : undefined;
      if (!row) throw new Error(`there is no application ${appId}`);
      const webhookSecret = openWebhookSecret(keyring, appId, row);
      if (webhookSecret === undefined)
        throw new Error(
          `the webhook secret of ${appId} cannot be read: its owner can create a new one in the console`,
        );
      const webhookUrl = openWebhookUrl(keyring, appId, row);
      if (webhookUrl === undefined && hasWebhookUrl(row))
        throw new Error(
          `the webhook URL of ${appId} cannot be read: its owner can set it again in the console`,
        );
      return {
        name: row.name,
        redirectUris: await findRedirectUris(db, appId),
        webhookUrl: webhookUrl ?? null,
        webhookSecret,
        clientSecretHash: row.clientSecretHash,
        apiKeys: await findLiveKeys(db, appId),
      };
    },
    /** The webhook URLs of the newest active applications, without unreadable ones. */
    async findWebhookUrls(limit: number): Promise<string[]> {
      const rows = await findWebhookUrls(db, limit);
      return rows.flatMap((row) => openWebhookUrl(keyring, row.appId, row) ?? []);
    },
  };
}

/** An application of another server, without its secrets. */
interface ImportedApplication
  extends Pick<ApplicationRow, 'appId' | 'ownerId' | 'name' | 'state' | 'requestsPerMinute' | 'createdAt'> {
  redirectUris: string[];
}

/** Deleted ones included. */
export async function isApplicationHere(db: Db, appId: string): Promise<boolean> {
  return (await findApplication(db, appId)) !== undefined;
}

/** Stores an application with secrets that nobody has: its owner makes new ones. Undefined if it is here already. */
export async function importApplication(
  tx: Tx,
  { keyring, random }: Pick<Platform, 'keyring' | 'random'>,
  { redirectUris, state, ...given }: ImportedApplication,
): Promise<LockedApplication | undefined> {
  const { appId, createdAt } = given;
  if (await isApplicationHere(tx, appId)) return undefined;
  const sealed = sealWebhookSecret(keyring, appId, makeWebhookSecret(random));
  const application = await addApplication(tx, { ...given, clientSecretHash: null, ...sealed });
  const before = state === 'suspended' ? 'active' : null;
  if (state !== 'active')
    await tx`
      update applications set state = ${state}, state_before_suspension = ${before} where app_id = ${appId}`;
  for (const uri of redirectUris) await insertRedirectUri(tx, { appId, uri, createdAt });
  return application;
}

/**
 * Stores an application that {@link openPortableApplications} read on another server, under the same ID.
 *
 * @throws Error when the owner, whose account the transaction has locked, has the maximum number
 */
export async function insertPortable(
  tx: Tx,
  deps: Pick<Platform, 'keyring' | 'clock' | 'config'>,
  { appId, ownerId, portable }: { appId: string; ownerId: string; portable: PortableApplication },
): Promise<LockedApplication> {
  const { keyring, clock, config } = deps;
  const createdAt = clock.now();
  if ((await findOwnedIds(tx, ownerId)).length >= LIMITS.applicationsPerAccount)
    throw new Error(`the owner has ${LIMITS.applicationsPerAccount} applications, which is the limit`);
  const application = await addApplication(tx, {
    appId,
    ownerId,
    name: portable.name,
    clientSecretHash: portable.clientSecretHash,
    ...sealWebhookSecret(keyring, appId, portable.webhookSecret),
    requestsPerMinute: config.requestsPerMinute,
    createdAt,
  });
  await updateWebhookUrl(tx, application, storeWebhookUrl(keyring, appId, portable.webhookUrl));
  for (const key of portable.apiKeys) await insertKey(tx, application, { ...key, createdAt });
  for (const uri of portable.redirectUris) await insertRedirectUri(tx, { appId, uri, createdAt });
  return application;
}
