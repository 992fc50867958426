import { V1 } from '#contract/api/v1.ts';
import type { ApplicationCall, ApplicationCalls } from '#contract/oauth.ts';
import { type Actor, scopeMissing } from '#features/applications/index.ts';
import { Batcher } from '#platform/batch.ts';
import type { Tx } from '#platform/database.ts';
import { AFTER_ALL, pageOf, readCursor } from '#platform/http/cursor.ts';
import { serve } from '#platform/http/serve.ts';
import { submitById } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import type { OAuthDeps } from '../deps.ts';
import { findPersonClaims, findProfile, type PersonClaims } from '../openid/claims.ts';

const SCOPE = 'profile';

/** The person for whom the access token acts (contract §4). */
export function userinfoRoutes(deps: OAuthDeps) {
  return serve(V1, {
    'GET /oauth/userinfo': async ({ actor, reply }) => {
      reply.header('cache-control', 'no-store');
      if (actor.scopes.includes('openid')) {
        // An extension of the contract, whose schema knows other fields.
        reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
        return tellOpenId(deps, actor);
      }
      return { sub: actor.accountId, ...(await findProfile(deps, actor.accountId)) };
    },
  });
}

/** @throws ApiError 403 if OpenID Connect was turned off and the token has no other scope */
async function tellOpenId(
  deps: OAuthDeps,
  { appId, accountId, scopes }: Actor,
): Promise<PersonClaims & { sub: string }> {
  const isEnabled = await deps.applications.hasExtension(appId, 'openid');
  if (!isEnabled && !scopes.includes(SCOPE)) throw scopeMissing(SCOPE, 'user');
  const told = isEnabled ? scopes : scopes.filter((scope) => scope === SCOPE);
  return { sub: accountId, ...(await findPersonClaims(deps, accountId, told)) };
}

const BATCH = { maxItems: 256, maxWaiting: 16_384 };
const PAGE = 50;

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
      await db.write(
        (tx) => tx`
          insert into application_calls
          ${tx(rows, 'accountId', 'requestId', 'appId', 'method', 'path', 'status', 'calledAt')}
          on conflict (account_id, request_id) do nothing`,
      );
      await db.write((tx) => updateLastCalls(tx, latestOfEach(rows)));
      return rows.map(() => undefined);
    }, BATCH);
  }

  note(call: CallRow): void {
    const written = submitById(this.#shards, this.#batcher, call, { table: 'accounts', id: call.accountId })
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
  const start = readCursor('req', 'before', before, 'not-a-request-id') ?? AFTER_ALL;
  const rows = await db<ApplicationCall[]>`
    select request_id, app_id, method, path, status, called_at
    from application_calls
    where account_id = ${accountId} and request_id < ${start}
      and (${appId ?? null}::text is null or app_id = ${appId ?? null})
    order by request_id desc limit ${PAGE + 1}`;
  const { page: calls, last } = pageOf(rows, PAGE);
  return { calls, ...(last && { nextBefore: last.requestId }) };
}

interface CallRow extends ApplicationCall {
  accountId: string;
}

/** Records when an application last called; once per person and application. */
async function updateLastCalls(
  tx: Tx,
  calls: { accountId: string; appId: string; calledAt: number }[],
): Promise<void> {
  await tx`
    update connected_applications as held
    set last_called_at = said.called_at
    from unnest(
      ${calls.map(({ accountId }) => accountId)}::text[],
      ${calls.map(({ appId }) => appId)}::text[],
      ${calls.map(({ calledAt }) => calledAt)}::bigint[]
    ) as said (account_id, app_id, called_at)
    where held.account_id = any(${calls.map(({ accountId }) => accountId)})
      and held.account_id = said.account_id and held.app_id = said.app_id
      and (held.last_called_at is null or held.last_called_at < said.called_at)`;
}

/** Oldest first. Returns how many were deleted. */
export async function deleteCallsOf(tx: Tx, accountId: string, limit: number): Promise<number> {
  const deleted = await tx`
    delete from application_calls
    where account_id = ${accountId} and request_id in (
      select request_id from application_calls where account_id = ${accountId} order by request_id limit ${tx.constant(limit)}
    )`;
  return deleted.count;
}
