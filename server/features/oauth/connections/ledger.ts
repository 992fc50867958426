import type { ApplicationCall, ApplicationCalls } from '#contract/oauth.ts';
import { Batcher } from '#platform/batch.ts';
import { invalidArgument } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import { batchKeyOf } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import type { OAuthDeps } from '../deps.ts';
import { type CallRow, insertCalls, selectCalls, updateLastCalls } from './ledger-queries.ts';

const BATCH = { maxItems: 256, maxWaiting: 16_384 };
const PAGE = 50;
const AFTER_ALL = '~';

/**
 * Records the calls of applications on behalf of people. No call waits for it: rows are written after the
 * answer, concurrent ones in one statement, and a row that cannot be written is dropped with a line in the
 * log.
 */
export class CallLedger implements AsyncDisposable {
  readonly #batcher: Batcher<CallRow, void>;
  readonly #log: Platform['log'];
  readonly #shards: Platform['shards'];
  readonly #underWay = new Set<Promise<void>>();

  constructor({ db, log, shards }: OAuthDeps) {
    this.#log = log;
    this.#shards = shards;
    this.#batcher = new Batcher<CallRow, void>(async (rows) => {
      await db.write((tx) => insertCalls(tx, rows));
      await db.write((tx) => updateLastCalls(tx, latestOfEach(rows)));
      return rows.map(() => undefined);
    }, BATCH);
  }

  note(call: CallRow): void {
    const written = this.#batcher
      .submit(call, batchKeyOf(this.#shards, call.accountId))
      .catch((err) => this.#log.warn({ err, requestId: call.requestId }, 'a call was not written down'))
      .finally(() => this.#underWay.delete(written));
    this.#underWay.add(written);
  }

  /** Waits for recorded calls. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#underWay);
  }
}

function latestOfEach(rows: CallRow[]): CallRow[] {
  const latest = new Map<string, CallRow>();
  for (const row of rows) {
    const key = `${row.accountId} ${row.appId}`;
    if ((latest.get(key)?.calledAt ?? 0) <= row.calledAt) latest.set(key, row);
  }
  return [...latest.values()];
}

/**
 * The calls that applications made for a person, newest first, page by page.
 *
 * @throws ApiError 400 if `before` is not a request ID
 */
export async function listCalls(
  { db }: OAuthDeps,
  accountId: string,
  { appId, before }: { appId?: string | undefined; before?: string | undefined },
): Promise<ApplicationCalls> {
  if (before !== undefined && !isId('req', before)) throw invalidArgument('before', 'not-a-request-id');
  const rows = await selectCalls(db, accountId, {
    appId: appId ?? null,
    before: before ?? AFTER_ALL,
    limit: PAGE + 1,
  });
  const calls = rows.slice(0, PAGE);
  return {
    calls,
    ...(rows.length > PAGE && { nextBefore: (calls.at(-1) as ApplicationCall).requestId }),
  };
}
