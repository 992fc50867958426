import { API_LOG, type LoggedRequest } from '#contract/applications/monitoring.ts';
import type { Tx } from '#platform/database.ts';
import { idsInReach } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import {
  deleteRequestsBeyond,
  insertRequests,
  type KeyUse,
  type RequestRow,
  updateKeysUsed,
  upsertUsage,
} from './queries.ts';
import { type Answered, Tallies } from './tallies.ts';

const LOG_EVERY_MS = 2_000;
const COUNTS_EVERY_MS = 15_000;
const MAX_WAITING = 5_000;
/** Per application and write: further successes are only counted, errors are always logged. */
const SUCCESSES_PER_WRITING = 40;
/** For all applications: under full load the log would cost as much as the messages. */
const ALL_SUCCESSES_PER_WRITING = 400;
const ROWS_PER_STATEMENT = 500;
const TRIM_EVERY = 1_000;
const KEY_USE_EVERY_MS = 60_000;
const MESSAGE_LENGTH = 300;
const WRITER_BYTES = 9;

/** An answered request of the public API. */
export interface NotedRequest
  extends Pick<LoggedRequest, 'requestId' | 'caller' | 'method' | 'route' | 'status' | 'durationMs'>,
    Pick<Answered, 'quota'> {
  appId: string;
  /** The fingerprint of the API key that was used. */
  fingerprint?: string | undefined;
  isStream?: boolean;
  /** Fields of the body that the endpoint does not know. */
  unknownFields?: string[] | undefined;
  error?: { code: string; message: string } | undefined;
}

/**
 * Records each application's API requests and webhook deliveries. Recording takes a few operations in memory; a timer writes
 * many rows in a statement. A killed process loses the last seconds of the log and the last minute of the counts; while the
 * database is unreachable, only what fits into the bounded queue is kept.
 */
export class RequestRecorder implements AsyncDisposable {
  readonly #deps: Platform;
  readonly #tallies: Tallies;
  readonly #timers: NodeJS.Timeout[];
  /** By fingerprint. */
  readonly #keyUses = new Map<string, { appId: string; at: number; writtenAt: number }>();
  /** How many rows of an application were written since its log was trimmed. */
  readonly #written = new Map<string, number>();
  #waiting: RequestRow[] = [];
  #successes = new Map<string, number>();
  #allSuccesses = 0;
  #step: Promise<void> = Promise.resolve();

  constructor(deps: Platform) {
    this.#deps = deps;
    this.#tallies = new Tallies(deps.random.bytes(WRITER_BYTES).toString('base64url'));
    // Not a `Loop`: readers of the log queue a flush behind the timers' writes, and the timers must not keep a command
    // running.
    this.#timers = [
      setInterval(() => this.#enqueue(() => this.#writeLog()), LOG_EVERY_MS).unref(),
      // Minutes that are over: their rows are written once, and those of the hour once a minute.
      setInterval(
        () => this.#enqueue(() => this.#writeCounts({ withCurrent: false })),
        COUNTS_EVERY_MS,
      ).unref(),
    ];
  }

  note(request: NotedRequest): void {
    const at = this.#deps.clock.now();
    const { requestId, appId, caller, method, route, status, durationMs, quota, error } = request;
    const countedMs = request.isStream ? undefined : durationMs;
    this.#tallies.count(request, { at, status, durationMs: countedMs, quota });
    if (request.fingerprint) this.#noteKeyUse(request.fingerprint, { appId, at });
    if (this.#waiting.length >= MAX_WAITING) return;
    if (status < 400) {
      const successes = this.#successes.get(appId) ?? 0;
      if (successes >= SUCCESSES_PER_WRITING || this.#allSuccesses >= ALL_SUCCESSES_PER_WRITING) return;
      this.#allSuccesses++;
      this.#successes.set(appId, successes + 1);
    }
    const said = { code: error?.code ?? null, message: error?.message.slice(0, MESSAGE_LENGTH) ?? null };
    this.#waiting.push({
      ...{ appId, requestId, at, caller, method, route, status, durationMs, ...said },
      unknownFields: request.unknownFields ?? null,
    });
  }

  /** Records an attempt to deliver an event, without a duration if nothing was sent. */
  noteDelivery(
    appId: string,
    { isDelivered, durationMs }: { isDelivered: boolean; durationMs: number | undefined },
  ): void {
    const counted = { appId, caller: 'webhook', method: 'POST', route: 'webhook' } as const;
    const at = this.#deps.clock.now();
    this.#tallies.count(counted, { at, status: isDelivered ? 200 : 500, durationMs });
  }

  /** Writes pending entries of the API log. */
  flushLog(): Promise<void> {
    return this.#enqueue(() => this.#writeLog());
  }

  /** The same, including the counts. */
  async flush(): Promise<void> {
    void this.flushLog();
    await this.#enqueue(() => this.#writeCounts({ withCurrent: true }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.flush();
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    this.#step = this.#step
      .then(step)
      .catch((err) => this.#deps.log.warn({ err }, 'requests of applications were not written down'));
    return this.#step;
  }

  #noteKeyUse(fingerprint: string, { appId, at }: { appId: string; at: number }): void {
    const use = this.#keyUses.get(fingerprint);
    if (use) use.at = at;
    else this.#keyUses.set(fingerprint, { appId, at, writtenAt: 0 });
  }

  async #writeLog(): Promise<void> {
    this.#successes = new Map();
    this.#allSuccesses = 0;
    const rows = this.#waiting.splice(0);
    const unwritten = new Set(await this.#write(rows, insertRequests));
    // The other half of the queue stays free for rows that can be written.
    this.#waiting.unshift(...[...unwritten].slice(-MAX_WAITING / 2));
    await this.#trim(rows.filter((row) => !unwritten.has(row)));
    await this.#writeKeyUses();
  }

  /**
   * Writes many rows in a statement; on Citus one statement per application, so that an unreachable node affects only its
   * own, and none for one that does not answer. Returns the rows that could not be written.
   */
  async #write<R extends { appId: string }>(
    rows: R[],
    write: (tx: Tx, rows: R[]) => Promise<void>,
  ): Promise<R[]> {
    const { db, shards, log } = this.#deps;
    const ofApplications = Map.groupBy(rows, ({ appId }) => appId);
    const inReach = new Set(await idsInReach(shards, 'applications', [...ofApplications.keys()]));
    const unwritten = rows.filter(({ appId }) => !inReach.has(appId));
    const byShard = shards.isDistributed
      ? [...inReach].map((appId) => ofApplications.get(appId) as R[])
      : [rows];
    for (const some of byShard.flatMap(inSlices)) {
      try {
        if (db.isAnswering) await db.begin((tx) => write(tx, some));
        else unwritten.push(...some);
      } catch (err) {
        log.warn({ err, rows: some.length }, 'requests of applications were not written down');
        unwritten.push(...some);
      }
    }
    return unwritten;
  }

  /** Also trims at the first rows after a start, since the previous process's count is unknown. */
  async #trim(rows: RequestRow[]): Promise<void> {
    for (const { appId } of rows) {
      this.#written.set(appId, (this.#written.get(appId) ?? TRIM_EVERY) + 1);
    }
    const long = [...this.#written].flatMap(([appId, count]) => (count < TRIM_EVERY ? [] : appId));
    for (const appId of await idsInReach(this.#deps.shards, 'applications', long)) {
      await this.#deps.db.begin((tx) => deleteRequestsBeyond(tx, appId, API_LOG.requests));
      this.#written.set(appId, 0);
    }
  }

  /** Writes the first use at once, later ones at most a minute late. */
  async #writeKeyUses(): Promise<void> {
    const now = this.#deps.clock.now();
    const due = [...this.#keyUses].filter(
      ([, { at, writtenAt }]) => at > writtenAt && now - writtenAt >= KEY_USE_EVERY_MS,
    );
    if (due.length === 0) return;
    const uses = due.map(([fingerprint, { appId, at }]) => ({ fingerprint, appId, at }));
    const unwritten = new Set(await this.#write(uses, updateKeysUsed));
    for (const [i, [, use]] of due.entries()) {
      const written = uses[i] as KeyUse;
      if (!unwritten.has(written)) use.writtenAt = written.at;
    }
    for (const [fingerprint, { at }] of this.#keyUses) {
      if (at < now - 10 * KEY_USE_EVERY_MS) this.#keyUses.delete(fingerprint);
    }
  }

  async #writeCounts({ withCurrent }: { withCurrent: boolean }): Promise<void> {
    const { clock } = this.#deps;
    const unwritten = await this.#write(this.#tallies.take(clock.now(), { withCurrent }), upsertUsage);
    this.#tallies.giveBack(unwritten, clock.now());
  }
}

function inSlices<R>(rows: R[]): R[][] {
  const slices: R[][] = [];
  for (let i = 0; i < rows.length; i += ROWS_PER_STATEMENT)
    slices.push(rows.slice(i, i + ROWS_PER_STATEMENT));
  return slices;
}
