import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { findFreePort } from './free-port.ts';
import { eventually } from './waits.ts';

const START_ATTEMPTS = 10;

export type TestRedis = Awaited<ReturnType<typeof startRedis>>;

/** A real Redis for one test, with its own port and directory. */
export async function startRedis() {
  const directory = await mkdtemp(join(tmpdir(), 'parley-redis-'));
  const started = await startOnFreePort(directory);
  const { port } = started;
  let { child } = started;
  /** Kills it, as a power cut would. */
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    /** Restarts it on the same port, empty. */
    async startAgain(): Promise<void> {
      child = await start(port, directory);
    },
    /** Keeps its connections open but answers nothing until it thaws. */
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Three nodes that share the slots, the smallest Redis Cluster. */
export async function startRedisCluster(): Promise<{ urls: string[] } & AsyncDisposable> {
  await using started = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'parley-redis-'));
  started.defer(() => rm(directory, { recursive: true, force: true }));
  const ports: number[] = [];
  for (let i = 0; i < 3; i++) {
    const settings = ['--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${i}.conf`];
    const node = await startOnFreePort(directory, settings);
    started.defer(() => void node.child.kill('SIGKILL'));
    ports.push(node.port);
  }
  const nodes = ports.map((port) => `127.0.0.1:${port}`);
  const make = spawn('redis-cli', ['--cluster', 'create', ...nodes, '--cluster-yes'], { stdio: 'ignore' });
  const [code] = await once(make, 'exit');
  if (code !== 0) throw new Error('redis-cli could not make the cluster');
  await Promise.all(ports.map(untilItServes));
  const running = started.move();
  return {
    urls: nodes.map((node) => `redis://${node}`),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Each node of a new cluster takes a moment until it knows that all slots are served. */
async function untilItServes(port: number): Promise<void> {
  const client = new Redis(port);
  await eventually(async () => String(await client.cluster('INFO')).startsWith('cluster_state:ok'));
  client.disconnect();
}

/** Retries, since another program may take the port, or the cluster port above it, before Redis does. */
async function startOnFreePort(
  directory: string,
  settings: string[] = [],
): Promise<{ port: number; child: ChildProcess }> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    try {
      return { port, child: await start(port, directory, settings) };
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error;
    }
  }
}

async function start(port: number, directory: string, settings: string[] = []): Promise<ChildProcess> {
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '', ...settings];
  const child = spawn('redis-server', own, { stdio: ['ignore', 'pipe', 'ignore'] });
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  child.once('error', reject);
  child.once('exit', () => reject(new Error('redis-server ended')));
  createInterface(child.stdout).on('line', (line) => {
    if (/Ready to accept connections/.test(line)) resolve();
  });
  await ready;
  return child;
}
