import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockAccount } from '#features/accounts/service.ts';
import { storeWebhookUrl } from '#features/applications/addresses.ts';
import { createApplication } from '#features/applications/create.ts';
import { updateWebhookUrl } from '#features/applications/queries.ts';
import { lockAnyApplication } from '#features/applications/service.ts';
import { type OutgoingEvent, recordEvents } from '#features/webhooks/record-events.ts';
import { eventMessage } from '#features/webhooks/rules.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { formatKey, KEY_BYTES, Keyring } from '#platform/crypto/keyring.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { bucketOf, createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { startRedis } from '#testing/redis.ts';
import { findDistribution, toShards } from '../../server/distribution/shards.ts';

/** Applications and their events in a database, delivered by separate worker processes. */
export interface WebhookScene extends AsyncDisposable {
  db: Database;
  /** Settings of a worker with the same database and keys. */
  environment: Record<string, string>;
  application(webhookUrl: string): Promise<string>;
  /** Records one event for each application, in one transaction. Returns their msgIds in the same order. */
  record(appIds: readonly string[]): Promise<string[]>;
}

export interface SceneOptions {
  databaseUrl: string;
  /** PEM of the authority behind the receivers' certificates. */
  ca: string;
  trustedHosts: readonly string[];
}

export async function createScene({ databaseUrl, ca, trustedHosts }: SceneOptions): Promise<WebhookScene> {
  const redis = await startRedis();
  const scratch = await mkdtemp(join(tmpdir(), 'parley-webhooks-'));
  const caFile = join(scratch, 'ca.pem');
  await writeFile(caFile, ca);
  const key = systemRandom.bytes(KEY_BYTES);
  const db = openDatabase({ url: databaseUrl, poolSize: 4 });
  const platform = {
    config: readConfig({}),
    clock: systemClock,
    random: systemRandom,
    newId: createIds(systemClock, systemRandom),
    shards: toShards(await findDistribution(db)),
    db,
    keyring: new Keyring(new Map([[1, key]]), systemRandom),
  };
  const { clock, newId } = platform;
  return {
    db,
    environment: {
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: '4',
      MASTER_KEYS: formatKey(1, key).trim(),
      ROLES: 'worker',
      REDIS_URL: redis.url,
      WEBHOOK_CA_FILE: caFile,
      WEBHOOK_TRUSTED_HOSTS: trustedHosts.join(),
    },
    async application(webhookUrl) {
      const ownerId = newId('usr');
      await db`
        insert into accounts (account_id, is_bot, name, created_at) values (${ownerId}, false, 'Ada', ${clock.now()})`;
      const { appId } = await createApplication(
        { ...platform, accounts: { lock: lockAccount } },
        ownerId,
        'Weather',
      );
      const stored = storeWebhookUrl(platform.keyring, appId, webhookUrl);
      await db.begin(async (tx) => updateWebhookUrl(tx, await lockAnyApplication(tx, appId), stored));
      return appId;
    },
    async record(appIds) {
      const at = clock.now();
      const events = appIds.map((appId): OutgoingEvent => {
        const [msgId, from] = [newId('msg'), newId('usr')];
        const content = { type: 'text', body: { content: 'hello' } } as const;
        const data = eventMessage(content, { msgId, from, sentAt: at }, { chatId: from });
        return { bucket: bucketOf(from), appId, type: 'message.received', msgId, data, state: 'pending', at };
      });
      await db.begin((tx) => recordEvents(tx, platform, events));
      return events.map(({ msgId }) => msgId);
    },
    async [Symbol.asyncDispose]() {
      await db.end({ timeout: 5 });
      await redis[Symbol.asyncDispose]();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
