import { USAGE_SPANS, type UsageSpan } from '#contract/monitoring.ts';
import { countLatency, emptyLatencies } from './latency.ts';
import type { UsageRow } from './queries.ts';

/** What is counted together: the calls of one kind of caller to one route of one application. */
export interface Counted {
  appId: string;
  caller: UsageRow['caller'];
  method: string;
  route: string;
}

/** What one answer adds. */
export interface Answered {
  at: number;
  status: number;
  /** Missing for a stream, which lasts as long as somebody listens. */
  durationMs: number | undefined;
  quota?: { limit: number; remaining: number; resetInSeconds: number };
}

const SPANS = Object.keys(USAGE_SPANS) as UsageSpan[];
/** Of the busiest server; beyond it what is new is not counted until the next hour. */
const MAX_TALLIES = 50_000;

/**
 * The sums of this process for the spans that are under way. They are written as they stand, over what this process
 * wrote of them before, so that a write that is repeated or comes late does no harm.
 */
export class Tallies {
  readonly #writer: string;
  readonly #tallies = new Map<string, Record<UsageSpan, UsageRow>>();
  #changed = new Set<UsageRow>();

  constructor(writer: string) {
    this.#writer = writer;
  }

  count(counted: Counted, answered: Answered): void {
    const key = `${counted.appId}${counted.caller}${counted.method}${counted.route}`;
    let tally = this.#tallies.get(key);
    if (!tally) {
      if (this.#tallies.size >= MAX_TALLIES) return;
      tally = { minute: this.#begin(counted, 'minute', 0), hour: this.#begin(counted, 'hour', 0) };
      this.#tallies.set(key, tally);
    }
    for (const span of SPANS) {
      const { ms } = USAGE_SPANS[span];
      const startedAt = answered.at - (answered.at % ms);
      if (tally[span].startedAt !== startedAt) tally[span] = this.#begin(counted, span, startedAt);
      add(tally[span], answered);
      this.#changed.add(tally[span]);
    }
  }

  /** What changed since it was taken last. Give it back when it could not be written. */
  take(now: number): UsageRow[] {
    const taken = [...this.#changed];
    this.#changed = new Set();
    for (const [key, { hour }] of this.#tallies) {
      if (hour.startedAt < now - USAGE_SPANS.hour.ms) this.#tallies.delete(key);
    }
    return taken;
  }

  giveBack(rows: readonly UsageRow[], now: number): void {
    for (const row of rows) if (row.startedAt > now - 2 * USAGE_SPANS.hour.ms) this.#changed.add(row);
  }

  #begin(counted: Counted, span: UsageSpan, startedAt: number): UsageRow {
    return {
      ...counted,
      span,
      startedAt,
      writer: this.#writer,
      requests: 0,
      clientErrors: 0,
      serverErrors: 0,
      latencies: emptyLatencies(),
      quotaLimit: null,
      quotaRemaining: null,
      quotaResetAt: null,
    };
  }
}

function add(row: UsageRow, { at, status, durationMs, quota }: Answered): void {
  row.requests++;
  if (status >= 500) row.serverErrors++;
  else if (status >= 400) row.clientErrors++;
  if (durationMs !== undefined) countLatency(row.latencies, durationMs);
  if (!quota) return;
  row.quotaLimit = quota.limit;
  row.quotaRemaining = quota.remaining;
  row.quotaResetAt = at + quota.resetInSeconds * 1000;
}
