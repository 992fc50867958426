import { setTimeout as pause } from 'node:timers/promises';
import { type Database, openDatabase } from '#platform/database.ts';
import { createBreakableNetwork } from '#testing/breakable-network.ts';
import { oneUrl } from '../cluster.ts';
import { createScratch, type Scratch } from '../scratch.ts';
import { findNode } from './cluster-scene.ts';
import { nth } from './plans.ts';

const HOSTS = 3;
const STILL_MS = 1_500;
const STILL_EVERY_MS = 5_000;
const LOOK_EVERY_MS = 250;
/** For the scenario itself, and for servers that open more than they should. */
const CONNECTIONS = 60;

/**
 * The several hosts of a database, one of which stands still now and then: the nodes of the cluster at CITUS_URL; without it,
 * one PostgreSQL with three addresses.
 */
export async function openHostsScene() {
  await using opened = new AsyncDisposableStack();
  const scratch = opened.use(await createScratch({ connections: CONNECTIONS }));
  const { urls, stops } =
    scratch.nodes.length > 0 ? await ofNodes(scratch) : await ofProxies(opened, scratch);
  const watched = scratch.nodes.length > 0 ? scratch.nodes : [scratch.databaseUrl];
  const watchers = watched.map((url) => openDatabase({ url, poolSize: 1, waitTimeoutMs: 60_000 }));
  opened.defer(async () => void (await Promise.all(watchers.map((db) => db.end({ timeout: 1 })))));
  const kept = opened.move();
  return {
    /** Settings of a server that enters through all hosts. */
    environment: { ...scratch.environment, DATABASE_URL: oneUrl(urls) },
    db: scratch.db,
    count: urls.length,
    /** One after another in this order, each for a moment: its connections stay open, and nobody answers. */
    async standStill(order: readonly number[], signal: AbortSignal): Promise<void> {
      for (let number = 0; !signal.aborted; number++) {
        await pause(STILL_EVERY_MS - STILL_MS, undefined, { signal }).catch(() => {});
        if (signal.aborted) return;
        const { stop, resume } = nth(stops, nth(order, number));
        await stop();
        await pause(STILL_MS);
        await resume();
      }
    },
    /** How many sessions servers open meanwhile, on all hosts together. */
    async countNewSessions(signal: AbortSignal): Promise<number> {
      const counts = await Promise.all(watchers.map((db) => countNewSessions(db, signal)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    /** How many sessions ended without a farewell so far: a statement may have been in progress. */
    async countLostSessions(): Promise<number> {
      const counts = await Promise.all(watchers.map(countLostSessions));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

interface Host {
  stop(): void | Promise<void>;
  resume(): void | Promise<void>;
}

async function ofProxies(
  opened: AsyncDisposableStack,
  { databaseUrl }: Scratch,
): Promise<{ urls: string[]; stops: Host[] }> {
  const proxies = await Promise.all(Array.from({ length: HOSTS }, () => createBreakableNetwork(databaseUrl)));
  for (const proxy of proxies) opened.use(proxy);
  return {
    urls: proxies.map(({ url }) => url),
    stops: proxies.map(({ freeze, thaw }) => ({ stop: freeze, resume: thaw })),
  };
}

async function ofNodes({ nodes }: Scratch): Promise<{ urls: readonly string[]; stops: Host[] }> {
  const processes = await Promise.all(nodes.map(findNode));
  return { urls: nodes, stops: processes.map(({ hang, resume }) => ({ stop: hang, resume })) };
}

/** Sessions that live less than the interval may be missed. */
async function countNewSessions(db: Database, signal: AbortSignal): Promise<number> {
  const seen = new Set<string>();
  const look = async () => {
    const rows = await db<{ session: string }[]>`
      select pid || ' ' || backend_start::text as session from pg_stat_activity
      where datname = current_database() and application_name = 'parley'`;
    for (const { session } of rows) seen.add(session);
  };
  await look();
  const before = seen.size;
  while (!signal.aborted) {
    await pause(LOOK_EVERY_MS);
    await look();
  }
  return seen.size - before;
}

async function countLostSessions(db: Database): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select sessions_abandoned as count from pg_stat_database where datname = current_database()`;
  return row?.count ?? 0;
}
