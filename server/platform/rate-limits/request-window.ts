import { hash } from 'node:crypto';
import { Batcher } from '../batch.ts';
import type { Clock } from '../clock.ts';
import type { Redis, Script } from '../redis.ts';
import { FixedWindow, type WindowState } from './fixed-window.ts';

/** Counts hits per key, as {@link FixedWindow} does: in Redis for all processes, or in memory if there is only one. */
export interface RequestWindow {
  /** Counts one hit. `allowed` is false, and nothing is counted, for every hit beyond `limit` in the same window. */
  hit(key: string, limit: number): Promise<WindowState>;
  /** Reverts one hit of the key's window, if it turned out not to count. */
  undo(key: string): Promise<void>;
}

interface Call {
  key: string;
  /** {@link TAKE_BACK} reverts a hit. */
  limit: number;
  windowMs: number;
}

type Counted = [isAllowed: number, remaining: number, leftMs: number];

const TAKE_BACK = -1;

/** The same rules as FixedWindow. A window ends when its key expires, by Redis's clock. */
const COUNT: Script = {
  name: 'parleyCount',
  lua: `
    local answers = {}
    for i, key in ipairs(KEYS) do
      local limit, length = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
      local count = tonumber(redis.call('GET', key))
      if limit == ${TAKE_BACK} then
        if count and count > 0 then redis.call('DECR', key) end
        answers[i] = {1, 0, 0}
      elseif not count then
        redis.call('SET', key, 1, 'PX', length)
        answers[i] = {limit > 0 and 1 or 0, math.max(limit - 1, 0), length}
      elseif count >= limit then
        answers[i] = {0, 0, redis.call('PTTL', key)}
      else
        redis.call('INCR', key)
        answers[i] = {1, limit - count - 1, redis.call('PTTL', key)}
      end
    end
    return answers`,
};

/** One counter for each connection, so that concurrent hits share one script call. */
const COUNTERS = new WeakMap<Redis, Batcher<Call, Counted>>();

/**
 * Opens the windows of one purpose.
 *
 * @param name separates its keys from those of other purposes
 */
export function openWindow(
  { clock, redis }: { clock: Clock; redis: Redis | undefined },
  name: string,
  { windowMs }: { windowMs: number },
): RequestWindow {
  const own = new FixedWindow(clock, { windowMs });
  const inMemory: RequestWindow = {
    hit: async (key, limit) => own.hit(key, limit),
    undo: async (key) => own.undo(key),
  };
  if (!redis) return inMemory;
  const counter = counterOf(redis);
  const count = (key: string, limit: number) => {
    const shard = shardOf(redis, key);
    return counter.submit({ key: `parley:{${shard}}:${name}:${key}`, limit, windowMs }, shard);
  };
  return {
    async hit(key, limit) {
      // While Redis is unreachable, each process counts separately and the service continues (docs/decisions/0016).
      if (!redis.isAnswering) return inMemory.hit(key, limit);
      try {
        const [isAllowed, remaining, leftMs] = await count(key, limit);
        return { allowed: isAllowed === 1, remaining, resetAt: clock.now() + leftMs };
      } catch {
        return inMemory.hit(key, limit);
      }
    },
    async undo(key) {
      own.undo(key);
      if (redis.isAnswering) await count(key, TAKE_BACK).catch(() => {});
    },
  };
}

function counterOf(redis: Redis): Batcher<Call, Counted> {
  const known = COUNTERS.get(redis);
  if (known) return known;
  const counter = new Batcher<Call, Counted>(async (calls) => {
    const keys = calls.map(({ key }) => key);
    const args = calls.flatMap(({ limit, windowMs }) => [limit, windowMs]);
    return (await redis.run(COUNT, keys, args)) as Counted[];
  });
  COUNTERS.set(redis, counter);
  return counter;
}

function shardOf({ shards }: Redis, key: string): string {
  return shards === 1 ? '0' : String(hash('sha256', key, 'buffer').readUInt16BE() % shards);
}
