import type { Clock } from '#platform/clock.ts';
import { BUCKETS, bucketOf } from '#platform/ids.ts';
import type { Redis, Script } from '#platform/redis.ts';

/** Applications by their buckets, the end excluded. */
interface Range {
  from: number;
  to: number;
}

/** The applications for which a worker sends. */
export interface Ownership {
  /** In ascending order. */
  ranges(): readonly Range[];
  owns(appId: string): boolean;
}

/** For the only worker. */
export const EVERYTHING: Ownership = { ranges: () => [{ from: 0, to: BUCKETS }], owns: () => true };

/** The number of parts into which the buckets are divided, each with one worker. */
export const PARTS = 64;
const BUCKETS_PER_PART = BUCKETS / PARTS;

export function partOf(appId: string): number {
  return Math.floor(bucketOf(appId) / BUCKETS_PER_PART);
}

/** Adjacent parts are one range, since a claim costs a statement for each range. */
function rangesOf(parts: ReadonlySet<number>): Range[] {
  const ranges: Range[] = [];
  for (let part = 0; part < PARTS; part++) {
    if (!parts.has(part)) continue;
    const [from, to] = [part * BUCKETS_PER_PART, (part + 1) * BUCKETS_PER_PART];
    const last = ranges.at(-1);
    if (last?.to === from) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges;
}

/** A worker without a heartbeat for this long counts as dead, and others take its applications. */
const LEASE_MS = 8_000;

/**
 * The first rise may be of renewals before Redis became unavailable for all, and the second one of a renewal at that very
 * moment.
 */
const SURE_RISES = 3;

const KEYS = ['parley:{0}:delivery:workers', 'parley:{0}:delivery:leases'];

/**
 * Renews the leases of a worker, takes its share, and releases the others unless it still has attempts in
 * progress there. Live workers share the parts evenly, in adjacent ranges. Returns the parts to send for.
 */
const RENEW: Script = {
  name: 'parleyRenewLeases',
  lua: `
    local me, parts, leaseMs = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
    local busy, mayTake = ARGV[4], ARGV[5] == '1'
    local time = redis.call('TIME')
    local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
    redis.call('HSET', KEYS[1], me, cjson.encode({ till = now + leaseMs, busy = cjson.decode(busy) }))
    local living, mine = {}, 0
    local workers = redis.call('HGETALL', KEYS[1])
    for i = 1, #workers, 2 do
      if cjson.decode(workers[i + 1]).till > now then living[#living + 1] = workers[i]
      else redis.call('HDEL', KEYS[1], workers[i]) end
    end
    table.sort(living)
    local isLiving = {}
    for i, worker in ipairs(living) do
      isLiving[worker] = true
      if worker == me then mine = i - 1 end
    end
    local held, leaving = {}, {}
    for i = 6, #ARGV do
      local kind, part = string.sub(ARGV[i], 1, 1), tonumber(string.sub(ARGV[i], 2))
      if kind == 'h' then held[part] = true else leaving[part] = true end
    end
    local owned = {}
    for part = 0, parts - 1 do
      local owner = redis.call('HGET', KEYS[2], part)
      local isMyDue = math.floor(part * #living / parts) == mine
      local isFree = not owner or (owner ~= me and not isLiving[owner])
      if owner == me and not isMyDue and not leaving[part] then
        redis.call('HDEL', KEYS[2], part)
      elseif owner == me or (isFree and isMyDue and (mayTake or held[part])) then
        redis.call('HSET', KEYS[2], part, me)
        if isMyDue then owned[#owned + 1] = part end
      end
    end
    return owned`,
};

const LEAVE: Script = {
  name: 'parleyLeaveLeases',
  lua: `
    redis.call('HDEL', KEYS[1], ARGV[1])
    local leases = redis.call('HGETALL', KEYS[2])
    for i = 1, #leases, 2 do
      if leases[i + 1] == ARGV[1] then redis.call('HDEL', KEYS[2], leases[i]) end
    end`,
};

const FIND_LIVING: Script = {
  name: 'parleyFindLiving',
  lua: `
    local time = redis.call('TIME')
    local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
    local living = {}
    local workers = redis.call('HGETALL', KEYS[1])
    for i = 1, #workers, 2 do
      if cjson.decode(workers[i + 1]).till > now then living[#living + 1] = { workers[i], workers[i + 1] } end
    end
    return living`,
};

/** The workers with a recent heartbeat, each with the applications to which it is sending. */
async function findLiving(redis: Redis): Promise<{ worker: number; busy: string[] }[]> {
  const living = (await redis.run(FIND_LIVING, KEYS, [])) as [string, string][];
  // An empty list of Lua is written as `{}`.
  return living.map(([name, known]) => ({
    worker: Number(name),
    busy: Object.values(JSON.parse(known).busy),
  }));
}

/** The applications to which any worker is sending. */
export async function findBusy(redis: Redis): Promise<string[]> {
  return (await findLiving(redis)).flatMap(({ busy }) => busy);
}

/**
 * Divides the applications among several workers, so that exactly one of them sends for each: parts are leased
 * in Redis. While Redis is unavailable workers keep their parts, since nobody can take any; one that alone cannot
 * reach it gives its parts up. So does one that stood still for longer than its leases, until it has renewed them. At the
 * moment of a change, two workers might send an event twice.
 */
export class Leases implements Ownership {
  readonly #redis: Redis;
  readonly #clock: Clock;
  readonly #worker: string;
  /** When it last began to renew its leases. */
  #triedAt = 0;
  #parts = new Set<number>();
  #ranges: readonly Range[] = [];
  /** Redis may have lost the leases of others; they report them again before anybody takes parts. */
  #isNew = true;
  #renewals = 0;
  /** As of the last comparison; how often the number of another worker has risen since this one last renewed its leases. */
  #compared = {
    renewals: 0,
    reported: new Map() as ReadonlyMap<number, number>,
    rises: new Map<number, number>(),
  };

  constructor({ redis, clock, workerId }: { redis: Redis; clock: Clock; workerId: number }) {
    this.#redis = redis;
    this.#clock = clock;
    this.#worker = String(workerId);
  }

  /** The workers with a recent heartbeat. */
  async findLiving(): Promise<Set<number>> {
    return new Set((await findLiving(this.#redis)).map(({ worker }) => worker));
  }

  /** How often it has renewed its leases, which rises as long as it reaches Redis. */
  get renewals(): number {
    return this.#renewals;
  }

  /**
   * Gives all parts up once another worker goes on renewing its leases while this one does not: others take its parts then.
   *
   * @param reported the renewals of each worker, as it last reported them
   */
  compare(reported: ReadonlyMap<number, number>): void {
    const { renewals, reported: before, rises } = this.#compared;
    if (this.#renewals > renewals) rises.clear();
    else
      for (const [worker, count] of reported) {
        const isRise = String(worker) !== this.#worker && count > (before.get(worker) ?? count);
        if (isRise) rises.set(worker, (rises.get(worker) ?? 0) + 1);
      }
    this.#compared = { renewals: this.#renewals, reported, rises };
    if ([...rises.values()].some((count) => count >= SURE_RISES)) this.#own([]);
  }

  ranges(): readonly Range[] {
    return this.#isTrying ? this.#ranges : [];
  }

  owns(appId: string): boolean {
    return this.#isTrying && this.#parts.has(partOf(appId));
  }

  /**
   * @param busy the applications to which this worker is sending @returns true if there are new ones
   */
  async renew(busy: readonly string[]): Promise<boolean> {
    const held = Array.from(this.#parts, (part) => `h${part}`);
    const leaving = Array.from(new Set(busy.map(partOf)), (part) => `l${part}`);
    const mayTake = Number(!this.#isNew);
    let parts: number[];
    this.#triedAt = this.#clock.now();
    try {
      const given = [this.#worker, PARTS, LEASE_MS, JSON.stringify(busy), mayTake, ...held, ...leaving];
      parts = (await this.#redis.run(RENEW, KEYS, given)) as number[];
    } catch {
      this.#isNew = true;
      return false;
    }
    this.#isNew = false;
    this.#renewals++;
    const isMore = parts.some((part) => !this.#parts.has(part));
    this.#own(parts);
    return isMore;
  }

  /** Releases the parts of this worker, so that others can take them at once. */
  async leave(): Promise<void> {
    await this.#redis.run(LEAVE, KEYS, [this.#worker]).catch(() => {});
  }

  get #isTrying(): boolean {
    return Math.abs(this.#clock.now() - this.#triedAt) < LEASE_MS;
  }

  #own(parts: readonly number[]): void {
    this.#parts = new Set(parts);
    this.#ranges = rangesOf(this.#parts);
  }
}
