import { hash } from 'node:crypto';
import { Batcher } from '../batch.ts';
import type { Clock } from '../clock.ts';
import type { Redis, Script } from '../redis.ts';
import { FixedWindow, type WindowState } from './fixed-window.ts';

/** Counts hits per key, as {@link FixedWindow} does: in Redis for all processes, or in memory when there is but one. */
export interface RequestWindow {
  /** Counts one hit. `allowed` is false, and nothing is counted, for every hit beyond `limit` in the same window. */
  hit(key: string, limit: number): Promise<WindowState>;
  /** Takes back one hit of the key's window, for what turned out not to count. */
  undo(key: string): Promise<void>;
}

interface Call {
  key: string;
  /** {@link TAKE_BACK} takes a hit back. */
  limit: number;
  windowMs: number;
}

type Counted = [isAllowed: number, remaining: number, leftMs: number];

const TAKE_BACK = -1;

/** The rules of FixedWindow. The window of a key ends by Redis's own clock, with the key. */
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

/** One counter for each connection, so that all hits of one moment go in one script. */
const COUNTERS = new WeakMap<Redis, Batcher<Call, Counted>>();

/**
 * Opens the windows of one purpose.
 *
 * @param name tells its keys from those of other purposes
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
      // While Redis is away each process counts for itself (docs/decisions/0016): the service goes on.
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
