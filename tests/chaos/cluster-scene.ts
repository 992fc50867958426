import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, openDatabase } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { startRedis } from '#testing/redis.ts';
import { createClusterDatabase, oneUrl } from '../cluster.ts';
import { OneConnection } from '../one-connection.ts';
import { settingsOn, startParley, UNLIMITED } from '../processes.ts';
import { createPairs, type Pair, signedInHeaders } from './population.ts';

const PAIRS = 24;
/** Refused requests are retried after a pause, as clients do. */
const RETRY_MS = 50;
/** Threads are read at a rate that leaves the machine to the sends. */
const READ_EVERY_MS = 250;

export interface Sent {
  atMs: number;
  tookMs: number;
  /** 0 for a broken connection. */
  status: number;
  msgId: string | undefined;
  pair: Pair;
}

export type ClusterScene = Awaited<ReturnType<typeof openClusterScene>>;

/** A server on a database of its own on the cluster at CITUS_URL, with people and bots. */
export async function openClusterScene(
  fill: ((db: Database) => Promise<unknown>) | undefined,
  enterBy: (nodes: string[]) => string[],
) {
  await using started = new AsyncDisposableStack();
  const { nodes } = started.use(await createClusterDatabase(fill));
  const db = openDatabase({ url: nodes[0], poolSize: 2, waitTimeoutMs: 20_000 });
  started.defer(() => db.end({ timeout: 5 }));
  const redis = started.use(await startRedis());
  const environment = {
    ...UNLIMITED,
    ...settingsOn({ url: oneUrl(enterBy(nodes)) }),
    REDIS_URL: redis.url,
  };
  const server = started.use(await startParley(environment));
  const pairs = await createPairs(server.url, PAIRS, 'https://example.com/');
  const running = started.move();
  return {
    /** A connection to the coordinator. */
    db,
    url: nodes[0],
    /** The coordinator first. */
    nodes,
    pairs,
    environment,
    /** Sends for all pairs concurrently while the work is running, and returns everything sent. */
    async underLoad(work: (sent: readonly Sent[]) => Promise<unknown>): Promise<Sent[]> {
      const sent: Sent[] = [];
      const stop = new AbortController();
      const begun = performance.now();
      const senders = pairs.map((pair) => send(server.url, pair, begun, stop.signal, sent));
      try {
        await work(sent);
      } finally {
        stop.abort();
        await Promise.all(senders);
      }
      return sent;
    },
    /** Reads the threads of all pairs concurrently, as their people, until the signal; returns everything read. */
    async readThreads(signal: AbortSignal): Promise<Sent[]> {
      const begun = performance.now();
      const read: Sent[] = [];
      const reading = pairs.map(async (pair) => {
        const headers = await signedInHeaders(server.url, pair);
        const url = `${server.url}/api/chat/conversations/${pair.conversationId}/messages`;
        await repeat({ pair, begun, signal, done: read, everyMs: READ_EVERY_MS }, async () => {
          const answer = await fetch(url, { headers });
          await answer.arrayBuffer();
          return answer;
        });
      });
      await Promise.all(reading);
      return read;
    },
    /** The number of acknowledged messages that are missing. */
    async countLost(sent: readonly Sent[]): Promise<number> {
      const rows = await db<{ msgId: string }[]>`select msg_id from messages`;
      const stored = new Set(rows.map(({ msgId }) => msgId));
      return sent.filter(({ status, msgId }) => status === 201 && !stored.has(msgId ?? '')).length;
    },
    /** Pairs with a row of the table on the given node. */
    async pairsOn(node: string, table: 'messages' | 'applications' | 'accounts'): Promise<Set<Pair>> {
      const { port } = new URL(node);
      const keysOf = ({ conversationId, appId, userId, botId }: Pair) =>
        ({ messages: [String(bucketOf(conversationId))], applications: [appId], accounts: [userId, botId] })[
          table
        ];
      const rows = await db<{ key: string }[]>`
        select key from unnest(${pairs.flatMap(keysOf)}::text[]) as key
        join pg_dist_shard_placement on shardid = get_shard_id_for_distribution_column(${table}, key)
        where nodeport = ${Number(port)}`;
      const there = new Set(rows.map(({ key }) => key));
      return new Set(pairs.filter((pair) => keysOf(pair).some((key) => there.has(key))));
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function send(
  origin: string,
  pair: Pair,
  begun: number,
  signal: AbortSignal,
  sent: Sent[],
): Promise<void> {
  let connection = new OneConnection(origin);
  const headers = { authorization: `Bearer ${pair.apiKey}` };
  const body = { to: pair.userId, type: 'text', content: 'x' };
  await repeat({ pair, begun, signal, done: sent }, async () => {
    try {
      const { status, body: answer } = await connection.post('/v1/messages', headers, body);
      return { status, msgId: answer.data?.msgId };
    } catch (error) {
      connection[Symbol.dispose]();
      connection = new OneConnection(origin);
      throw error;
    }
  });
  connection[Symbol.dispose]();
}

interface Repeated {
  pair: Pair;
  begun: number;
  signal: AbortSignal;
  done: Sent[];
  /** One after another, unless given. */
  everyMs?: number;
}

/** A request that throws counts as status 0. */
async function repeat(
  { pair, begun, signal, done, everyMs = 0 }: Repeated,
  ask: () => Promise<{ status: number; msgId?: string }>,
): Promise<void> {
  while (!signal.aborted) {
    const atMs = performance.now() - begun;
    const { status, msgId } = await ask().catch(() => ({ status: 0, msgId: undefined }));
    const tookMs = performance.now() - begun - atMs;
    done.push({ atMs, tookMs, status, msgId, pair });
    const isGood = status >= 200 && status < 300;
    const waitMs = Math.max(everyMs - tookMs, isGood ? 0 : RETRY_MS);
    if (waitMs > 0) await pause(waitMs);
  }
}

export type NodeProcess = Awaited<ReturnType<typeof findNode>>;

/** The PostgreSQL of a node, which runs on this machine with readable files. */
export async function findNode(url: string) {
  const db = openDatabase({ url, poolSize: 1 });
  try {
    const [found] = await db<{ pidFile: string; directory: string; bin: string }[]>`
      select pg_read_file('postmaster.pid') as pid_file, current_setting('data_directory') as directory,
        (select setting from pg_config where name = 'BINDIR') as bin`;
    const { pidFile = '', directory = '', bin = '' } = found ?? {};
    const { uid, gid } = await stat(directory);
    const pid = Number.parseInt(pidFile, 10);
    const signalAll = async (signal: NodeJS.Signals) => {
      const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
      for (const one of [pid, ...children.split(' ').filter(Boolean).map(Number)])
        signalUnlessEnded(one, signal);
    };
    return {
      kill: () => void process.kill(pid, 'SIGKILL'),
      /** All of its processes are suspended; its connections stay open. */
      hang: () => signalAll('SIGSTOP'),
      resume: () => signalAll('SIGCONT'),
      async start(): Promise<void> {
        const child = spawn(
          `${bin}/pg_ctl`,
          ['-D', directory, '-w', '-l', `${directory}/chaos.log`, 'start'],
          {
            stdio: 'ignore',
            cwd: directory,
            env: { LC_ALL: 'C.UTF-8' },
            ...(process.getuid?.() === 0 && { uid, gid }),
          },
        );
        const [code] = await once(child, 'exit');
        if (code !== 0) throw new Error(`the node at ${new URL(url).host} did not start again`);
      },
    };
  } finally {
    await db.end({ timeout: 1 });
  }
}

function signalUnlessEnded(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** `201: 1234, 503: 12`, and the longest response time. */
export function describeSent(sent: readonly Sent[]): string {
  const byStatus = [...Map.groupBy(sent, ({ status }) => status)].sort(([a], [b]) => a - b);
  const counts = byStatus.map(([status, all]) => `${status}: ${all.length}`);
  const slowest = sent.reduce((longest, { tookMs }) => Math.max(longest, tookMs), 0);
  return `${counts.join(', ')}, the slowest ${Math.round(slowest)} ms`;
}
