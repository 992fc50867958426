import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordEvents } from '#features/webhooks/record-events.ts';
import type { Authority } from '#testing/certificates.ts';
import { DeliveryWorld, type TestApplication } from '#testing/delivery-world.ts';
import { TestClock } from '#testing/platform.ts';
import { startRedis } from '#testing/redis.ts';
import type { Scratch } from '../scratch.ts';

class RealClock extends TestClock {
  override now(): number {
    return Date.now();
  }
}

/** Applications and their events in a database, delivered by separate worker processes. */
export async function createScene({ databaseUrl, environment, directory }: Scratch, authority: Authority) {
  await using made = new AsyncDisposableStack();
  const redis = made.use(await startRedis());
  const caFile = join(directory, 'ca.pem');
  await writeFile(caFile, authority.pem);
  const { MASTER_KEYS: masterKeys } = environment;
  const database = { url: databaseUrl, [Symbol.asyncDispose]: async () => {} };
  const world = made.use(
    await DeliveryWorld.create({ masterKeys }, { database, clock: new RealClock() }, authority),
  );
  const { platform } = world;
  const kept = made.move();
  return {
    world,
    db: platform.db,
    /** Settings of a worker with the same database and keys. */
    environment: {
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: '4',
      MASTER_KEYS: masterKeys ?? '',
      ROLES: 'worker',
      REDIS_URL: redis.url,
      WEBHOOK_CA_FILE: caFile,
      WEBHOOK_TRUSTED_HOSTS: '127.0.0.1',
    },
    /** Records one event for each application, in one transaction. Returns their msgIds in the same order. */
    async record(applications: readonly TestApplication[]): Promise<string[]> {
      const events = applications.map((application) => world.outgoing(application));
      await platform.db.begin((tx) => recordEvents(tx, platform, events));
      return events.map(({ msgId }) => msgId);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
