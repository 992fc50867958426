import { hash } from 'node:crypto';
import { Redis as Client, Cluster, type RedisOptions } from 'ioredis';
import type { Log } from './log.ts';
import { createCircuitBreaker } from './redis/circuit-breaker.ts';

export interface Script {
  name: string;
  lua: string;
}

/** On a cluster a batch is split by shard; few shards keep the batches large. */
const CLUSTER_SHARDS = 16;
const OLDEST_VERSION = 7;
const BOOT_TIMEOUT_MS = 10_000;
/** Its slot is on one node of a cluster. */
export const REDIS_PROBE = 'parley:{0}:probe';
const RETRY_MS = 250;

const OPTIONS = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 2_000,
  retryStrategy: () => RETRY_MS,
} satisfies RedisOptions;

/**
 * Connects to a Redis, or to the cluster that it is part of.
 *
 * @param urls one address, or several of one cluster
 * @throws with a message for the operator: it is unreachable or too old
 */
export async function connectRedis({
  urls,
  log,
  waitTimeoutMs = BOOT_TIMEOUT_MS,
}: {
  urls: readonly string[];
  log: Log;
  waitTimeoutMs?: number;
}): Promise<Redis> {
  const isCluster = await inspect(urls, waitTimeoutMs);
  const redis = isCluster ? new ClusterRedis(urls, log) : new SingleRedis(urls[0] as string, log);
  await redis.ready;
  return redis;
}

/** Checks the version of the first that answers, and whether it is a cluster. */
async function inspect(urls: readonly string[], waitTimeoutMs: number): Promise<boolean> {
  const until = performance.now() + waitTimeoutMs;
  let fault = 'no answer';
  do {
    for (const url of urls) {
      const client = new Client(url, {
        ...OPTIONS,
        lazyConnect: true,
        retryStrategy: null,
        commandTimeout: 2_000,
      });
      let reason: Error | undefined;
      client.on('error', (error) => {
        reason = error;
      });
      try {
        await client.connect();
        const info = await client.info();
        const version = /^redis_version:((\d+)\S*)/m.exec(info);
        if (Number(version?.[2]) < OLDEST_VERSION)
          throw new TooOld(`the Redis of REDIS_URL is ${version?.[1]}: version 7 or later is needed`);
        return /^cluster_enabled:1/m.test(info);
      } catch (error) {
        if (error instanceof TooOld) throw error;
        // The call itself says only that the connection is closed.
        fault = (reason ?? (error as Error)).message;
      } finally {
        client.disconnect();
      }
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  } while (performance.now() < until);
  throw new Error(`the Redis of REDIS_URL cannot be reached: ${fault}`);
}

class TooOld extends Error {}

/**
 * The Redis that several processes share, or a cluster of it. It holds nothing that must not be lost, and every call has a
 * timeout.
 */
export abstract class Redis implements AsyncDisposable {
  /** The shard of a key or channel of this name: 0, or one of {@link CLUSTER_SHARDS} on Redis Cluster. */
  abstract shardOf(name: string): number;
  protected readonly commands: Client | Cluster;
  protected abstract readonly subscriber: Client | Cluster;
  /** Whether listeners of {@link onUnsubscribed} hear of every subscription that is lost. */
  abstract readonly tellsOfLostSubscriptions: boolean;
  /** Resolves when commands can be sent. */
  readonly ready: Promise<unknown>;
  readonly #breaker: ReturnType<typeof createCircuitBreaker>;
  readonly #loaded = new Set<string>();
  readonly #gapListeners: (() => void)[] = [];
  readonly #returnListeners: (() => void)[] = [];

  constructor(commands: Client | Cluster, log: Log) {
    this.commands = commands;
    this.ready = new Promise((resolve) => commands.once('ready', resolve));
    let lastReason: string | undefined;
    commands.on('ready', () => {
      lastReason = undefined;
    });
    commands.on('error', (err) => {
      if (err.message !== lastReason) log.warn({ err }, 'the connection to Redis failed');
      lastReason = err.message;
    });
    this.#breaker = createCircuitBreaker({
      // A write, which one that is read-only or has no memory left refuses.
      ask: () => commands.set(REDIS_PROBE, '', 'PX', 1_000),
      onChange: (isAnswering, err) => {
        if (isAnswering) {
          log.warn('Redis answers again');
          for (const listener of this.#returnListeners) listener();
        } else
          log.error(
            { err },
            'Redis does not answer: quotas are counted per process, live events of others are late',
          );
      },
    });
  }

  /** False while it does not answer; calls are then rejected at once. */
  get isAnswering(): boolean {
    return this.#breaker.isAnswering;
  }

  /** Runs a script on keys and channels of one shard. Rejects within about a second if there is no answer. */
  run({ name, lua }: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    if (!this.#loaded.has(name)) {
      this.commands.defineCommand(name, { lua });
      this.#loaded.add(name);
    }
    // ioredis has no type for commands that are defined at run time.
    const commands = this.commands as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    return this.#breaker.wait(() => commands[name]?.(keys.length, ...keys, ...args) as Promise<unknown>);
  }

  publish(channel: string, message: Buffer): Promise<unknown> {
    return this.#breaker.wait(() => this.commands.spublish(channel, message));
  }

  /** Calls `listener` when publications may have been missed. */
  onGap(listener: () => void): void {
    this.#gapListeners.push(listener);
  }

  /** Calls `listener` when there are no subscriptions for a while; a gap follows, once there are again. */
  onUnsubscribed(listener: () => void): void {
    this.subscriber.on('close', listener);
  }

  /** Calls `listener` when calls are answered again. */
  onReturn(listener: () => void): void {
    this.#returnListeners.push(listener);
  }

  protected tellOfGap(): void {
    for (const listener of this.#gapListeners) listener();
  }

  /** Resolves once further publications are received. */
  subscribe(channel: string): Promise<unknown> {
    return this.subscriber.ssubscribe(channel);
  }

  unsubscribe(channel: string): void {
    this.subscriber.sunsubscribe(channel).catch(() => {});
  }

  onMessage(listener: (channel: string, message: Buffer) => void): void {
    this.subscriber.on('smessageBuffer', (channel: Buffer, message: Buffer) =>
      listener(channel.toString(), message),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#breaker[Symbol.dispose]();
    this.commands.disconnect();
  }
}

class SingleRedis extends Redis {
  protected readonly subscriber: Client;
  readonly tellsOfLostSubscriptions = true;

  constructor(url: string, log: Log) {
    const commands = new Client(url, OPTIONS);
    super(commands, log);
    this.subscriber = new Client(url, { ...OPTIONS, enableOfflineQueue: true, maxRetriesPerRequest: null });
    this.subscriber.on('error', (error) => log.debug({ err: error }, 'Redis'));
    let isFirst = true;
    this.subscriber.on('ready', () => {
      if (!isFirst) setImmediate(() => void this.#tellOfGap());
      isFirst = false;
    });
  }

  shardOf(): number {
    return 0;
  }

  /** Waits until the resubscriptions, which were sent before this ping, have taken effect. */
  async #tellOfGap(): Promise<void> {
    await this.subscriber.ping().catch(() => {});
    this.tellOfGap();
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.subscriber.disconnect();
    await super[Symbol.asyncDispose]();
  }
}

class ClusterRedis extends Redis {
  protected readonly subscriber: Cluster;
  /** Its client replaces connections to single nodes by itself. */
  readonly tellsOfLostSubscriptions = false;

  constructor(urls: readonly string[], log: Log) {
    const first = new URL(urls[0] as string);
    const { enableOfflineQueue, retryStrategy, ...redisOptions } = OPTIONS;
    const nodes = urls.map((url) => {
      const { hostname, port } = new URL(url);
      return { host: hostname, port: Number(port || 6379) };
    });
    const cluster = new Cluster(nodes, {
      shardedSubscribers: true,
      // The first commands wait until the slot map has been read.
      enableOfflineQueue: true,
      clusterRetryStrategy: retryStrategy,
      redisOptions: {
        ...redisOptions,
        ...(first.username && { username: decodeURIComponent(first.username) }),
        ...(first.password && { password: decodeURIComponent(first.password) }),
        ...(first.protocol === 'rediss:' && { tls: {} }),
      },
    });
    super(cluster, log);
    this.subscriber = cluster;
    // Channels move with their slots; publications before the resubscription on the new node are lost.
    let isFirst = true;
    cluster.on('subscribersReady', () => {
      if (!isFirst) this.tellOfGap();
      isFirst = false;
    });
  }

  shardOf(name: string): number {
    return hash('sha256', name, 'buffer').readUInt16BE() % CLUSTER_SHARDS;
  }
}
