import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { migrate } from '#platform/schema/migrate.ts';
import { PATIENT } from '#testing/waits.ts';
import { createClusterDatabase, oneUrl } from './cluster.ts';
import { settingsOn, UNLIMITED } from './processes.ts';

export type Scratch = Awaited<ReturnType<typeof createScratch>>;

const isClusterNamed = Boolean(process.env['CITUS_URL']);

/**
 * A database as created by `npm start` (durable commits), for the test to fill, and the settings to run on it. If CITUS_URL
 * names a cluster, it is distributed there and entered through every node. Programs other than Parley may need connections of
 * their own.
 */
export async function createScratch({ connections = 0, isOnCluster = isClusterNamed } = {}) {
  await using made = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'parley-scratch-'));
  made.defer(() => rm(directory, { recursive: true, force: true }));
  const { url, serverUrl, nodes } = isOnCluster
    ? await onCluster(made)
    : await onPostgres(made, directory, connections);
  const db = openDatabase({ url, poolSize: 2, ...PATIENT });
  made.defer(() => db.end({ timeout: 5 }));
  await migrate({ db, clock: systemClock });
  const environment: Record<string, string> = {
    ...UNLIMITED,
    ...settingsOn({ url: serverUrl }),
  };
  const kept = made.move();
  return {
    db,
    databaseUrl: url,
    environment,
    /** For files of the run. */
    directory,
    /** On a cluster: an address on each node, the coordinator's first. */
    nodes,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The location of the database, and the entry points of the servers. */
interface Addresses {
  url: string;
  serverUrl: string;
  nodes: readonly string[];
}

async function onPostgres(
  made: AsyncDisposableStack,
  dataDir: string,
  connections: number,
): Promise<Addresses> {
  const log = pino({ level: 'warn' });
  const { url, socketUrl } = made.use(await startEmbeddedPostgres({ dataDir, log, connections }));
  return { url, serverUrl: socketUrl, nodes: [] };
}

async function onCluster(made: AsyncDisposableStack): Promise<Addresses> {
  const { nodes } = made.use(await createClusterDatabase());
  return { url: nodes[0], serverUrl: oneUrl(nodes), nodes };
}

/** The settings of a server on its first start that stores everything itself; on a cluster, a scratch database. */
export async function createHome(): Promise<{ environment: Record<string, string> } & AsyncDisposable> {
  if (isClusterNamed) return createScratch();
  const directory = await mkdtemp(join(tmpdir(), 'parley-home-'));
  return {
    environment: { DATA_DIR: join(directory, 'data') },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
