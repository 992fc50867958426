import { USAGE_SPANS, type UsageSpan } from '#contract/applications/monitoring.ts';
import type { QuotaLeft } from '../quota.ts';
import type { UsageRow, UsageSum } from './queries.ts';

/** Upper bounds in milliseconds; one more bucket counts anything slower. */
const BOUNDS_MS = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 2000, 5000, 10_000,
];

/** A histogram of durations: small, and two can be added bucket by bucket. */
export function emptyLatencies(): number[] {
  return new Array<number>(BOUNDS_MS.length + 1).fill(0);
}

export function countLatency(latencies: number[], ms: number): void {
  let i = 0;
  while (i < BOUNDS_MS.length && ms > (BOUNDS_MS[i] as number)) i++;
  latencies[i] = (latencies[i] as number) + 1;
}

export function addLatencies(sum: number[], latencies: readonly number[]): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (latencies[i] ?? 0);
}

/** The percentile for this share, by linear interpolation; undefined without durations. */
export function percentileMs(latencies: readonly number[], share: number): number | undefined {
  const total = latencies.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const wanted = total * share;
  let before = 0;
  for (const [i, count] of latencies.entries()) {
    if (before + count >= wanted && count > 0) {
      const from = BOUNDS_MS[i - 1] ?? 0;
      const to = BOUNDS_MS[i] ?? from;
      return Math.round((from + ((to - from) * (wanted - before)) / count) * 10) / 10;
    }
    before += count;
  }
  return BOUNDS_MS.at(-1);
}

/** One tally counts the calls of one kind of caller to one route of one application. */
type Counted = Pick<UsageRow, 'appId' | 'caller' | 'method' | 'route'>;

/** A response to be added to a tally. */
export interface Answered {
  at: number;
  status: number;
  /** Undefined for a stream, which lasts as long as somebody listens. */
  durationMs: number | undefined;
  quota?: QuotaLeft | undefined;
}

/** Counts that are not in the rows yet. */
interface Sums extends UsageSum {
  quota: QuotaLeft | undefined;
}

interface Tally {
  counted: Counted;
  /** The start of the minute being counted. */
  minute: number;
  fresh: Sums;
  rows: Record<UsageSpan, UsageRow>;
}

const SPANS = Object.keys(USAGE_SPANS) as UsageSpan[];
/** More than the busiest server needs; beyond it, new tallies are not counted until the next hour. */
const MAX_TALLIES = 50_000;

/**
 * The sums of this process for the current time spans. Each write replaces the process's previous rows with the totals, so
 * that a repeated or late write is harmless.
 */
export class Tallies {
  readonly #writer: string;
  /** By application; each has only a few. */
  readonly #tallies = new Map<string, Tally[]>();
  #size = 0;
  #changed = new Set<UsageRow>();

  constructor(writer: string) {
    this.#writer = writer;
  }

  count(counted: Counted, answered: Answered): void {
    const tally = this.#find(counted) ?? this.#open(counted);
    if (!tally) return;
    const minute = beginOf('minute', answered.at);
    if (tally.minute !== minute) {
      this.#settle(tally);
      tally.minute = minute;
    }
    add(tally.fresh, answered);
  }

  /**
   * The rows that have changed since the last call, with or without what the current minute has counted. Return
   * them if they could not be written.
   */
  take(now: number, { withCurrent }: { withCurrent: boolean }): UsageRow[] {
    const minute = beginOf('minute', now);
    for (const [appId, tallies] of this.#tallies) {
      for (const tally of tallies) if (withCurrent || tally.minute < minute) this.#settle(tally);
      const kept = tallies.filter(
        ({ fresh, rows }) => fresh.requests > 0 || rows.hour.startedAt >= now - USAGE_SPANS.hour.ms,
      );
      this.#size -= tallies.length - kept.length;
      if (kept.length > 0) this.#tallies.set(appId, kept);
      else this.#tallies.delete(appId);
    }
    const taken = [...this.#changed];
    this.#changed = new Set();
    return taken;
  }

  giveBack(rows: readonly UsageRow[], now: number): void {
    for (const row of rows) if (row.startedAt > now - 2 * USAGE_SPANS.hour.ms) this.#changed.add(row);
  }

  #find({ appId, caller, method, route }: Counted): Tally | undefined {
    return this.#tallies
      .get(appId)
      ?.find(
        ({ counted }) => counted.route === route && counted.method === method && counted.caller === caller,
      );
  }

  #open({ appId, caller, method, route }: Counted): Tally | undefined {
    if (this.#size >= MAX_TALLIES) return undefined;
    const counted = { appId, caller, method, route };
    const rows = { minute: this.#begin(counted, 'minute', 0), hour: this.#begin(counted, 'hour', 0) };
    const tally: Tally = { counted, minute: 0, fresh: noCounts(), rows };
    const tallies = this.#tallies.get(appId);
    if (tallies) tallies.push(tally);
    else this.#tallies.set(appId, [tally]);
    this.#size++;
    return tally;
  }

  /** Adds the counts of a minute to the rows. */
  #settle(tally: Tally): void {
    const { counted, minute, fresh, rows } = tally;
    if (fresh.requests === 0) return;
    for (const span of SPANS) {
      const startedAt = beginOf(span, minute);
      if (rows[span].startedAt !== startedAt) rows[span] = this.#begin(counted, span, startedAt);
      const row = rows[span];
      addSums(row, fresh);
      if (fresh.quota) {
        const { limit, remaining, resetAt } = fresh.quota;
        Object.assign(row, { quotaLimit: limit, quotaRemaining: remaining, quotaResetAt: resetAt });
      }
      this.#changed.add(row);
    }
    tally.fresh = noCounts();
  }

  #begin(counted: Counted, span: UsageSpan, startedAt: number): UsageRow {
    const quota = { quotaLimit: null, quotaRemaining: null, quotaResetAt: null };
    return { ...counted, span, startedAt, writer: this.#writer, ...emptySums(), ...quota };
  }
}

function beginOf(span: UsageSpan, at: number): number {
  return at - (at % USAGE_SPANS[span].ms);
}

export function emptySums(): UsageSum {
  return { requests: 0, clientErrors: 0, serverErrors: 0, latencies: emptyLatencies() };
}

function noCounts(): Sums {
  return { ...emptySums(), quota: undefined };
}

function add(sums: Sums, { status, durationMs, quota }: Answered): void {
  sums.requests++;
  if (status >= 500) sums.serverErrors++;
  else if (status >= 400) sums.clientErrors++;
  if (durationMs !== undefined) countLatency(sums.latencies, durationMs);
  if (quota) sums.quota = quota;
}

export function addSums(sum: UsageSum, { requests, clientErrors, serverErrors, latencies }: UsageSum): void {
  sum.requests += requests;
  sum.clientErrors += clientErrors;
  sum.serverErrors += serverErrors;
  addLatencies(sum.latencies, latencies);
}
