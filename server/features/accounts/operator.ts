import type { Language } from '#contract/languages.ts';
import { LIMITS } from '#contract/limits.ts';
import type { OperatedPerson, PersonLimits } from '#contract/operate/people.ts';
import { say } from '#contract/reasons.ts';
import { beginsWith } from '#platform/database/like.ts';
import type { Db, Tx } from '#platform/database.ts';
import { failedPrecondition, notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import type { OperatorAccountDeps, SuspensionDeps } from './deps.ts';
import { lockLogin } from './queries.ts';
import { findAccountIdByEmail } from './service.ts';
import { selectSessions } from './sessions/queries.ts';
import { announceEnd, endSessions } from './sessions/session.ts';
import {
  findHold,
  isInForce,
  NO_END,
  type Suspension,
  updateDeactivated,
  updateSuspension,
} from './suspension.ts';

interface PersonRow extends Omit<OperatedPerson, 'lastSeenAt' | 'suspension' | 'ownLimits'> {
  lastSeenAt: number | null;
  suspendedUntil: Suspension['until'] | null;
  suspensionReason: Suspension['reason'] | null;
  isDeactivated: boolean;
  limits: PersonLimits | null;
}

/** People whose names begin with a text, ignoring case. A read over all shards. */
async function selectIdsByName(
  db: Db,
  { beginning, limit }: { beginning: string; limit: number },
): Promise<string[]> {
  const rows = await db<{ accountId: string }[]>`
    select account_id from accounts
    where lower(name) like lower(${beginsWith(beginning)}) and not is_bot and deleted_at is null and email is not null
    order by lower(name), account_id limit ${limit}`;
  return rows.map(({ accountId }) => accountId);
}

/** Those of the accounts that belong to people and are not deleted. A read over many shards. */
async function selectPeople(
  db: Db,
  { accountIds, now }: { accountIds: string[]; now: number },
): Promise<PersonRow[]> {
  return db<PersonRow[]>`
    select account.account_id, account.name, account.email, account.created_at,
      (select max(last_seen_at) from sessions s where s.account_id = account.account_id) as last_seen_at,
      (select count(*)::integer from sessions s
        where s.account_id = account.account_id and s.expires_at > ${now}) as sessions,
      exists (select from two_factor_secrets f
        where f.account_id = account.account_id and f.enabled_at is not null) as is_two_factor_on,
      account.suspended_until, account.suspension_reason, account.deactivated_at is not null as is_deactivated,
      account.limits
    from accounts account
    where account.account_id = any(${accountIds}) and not account.is_bot and account.deleted_at is null
      and account.email is not null
    order by lower(account.name), account.account_id`;
}

/** How many people have an account since that time or longer. A read over all shards. */
export async function countPeople(db: Db, createdBy: number): Promise<number> {
  const [row] = await db<{ people: number }[]>`
    select count(*)::integer as people from accounts
    where created_at <= ${createdBy} and not is_bot and deleted_at is null and email is not null`;
  return row?.people ?? 0;
}

/**
 * People who have an account since that time or longer, in the order of their ids, with the language in which to write to them:
 * English until a page has reported one. A read over all shards.
 */
export async function listPeople(
  db: Db,
  { after, createdBy, limit }: { after: string; createdBy: number; limit: number },
): Promise<{ accountId: string; language: Language }[]> {
  return db<{ accountId: string; language: Language }[]>`
    select account_id, coalesce(language, 'en') as language from accounts
    where account_id > ${after} and created_at <= ${createdBy} and not is_bot and deleted_at is null
      and email is not null
    order by account_id limit ${limit}`;
}

async function selectLimits(db: Db, accountId: string): Promise<PersonLimits | undefined> {
  const [row] = await db<{ limits: PersonLimits | null }[]>`
    select limits from accounts where account_id = ${accountId}`;
  return row?.limits ?? undefined;
}

/** How late a change by operators takes effect at another process. */
const KEPT_MS = 10_000;
const MOST_KEPT = 10_000;

/** The limits that operators set for people, cached for a while. */
export class OwnLimits {
  readonly #deps: Platform;
  /** In the order in which they were read. */
  readonly #read = new Map<string, { at: number; limits: Promise<PersonLimits | undefined> }>();

  constructor(deps: Platform) {
    this.#deps = deps;
  }

  /** Undefined if the person has only the server's limits. */
  find(accountId: string): Promise<PersonLimits | undefined> {
    const at = this.#deps.clock.now();
    const known = this.#read.get(accountId);
    if (known && Math.abs(at - known.at) < KEPT_MS) return known.limits;
    const limits = selectLimits(this.#deps.db, accountId);
    limits.catch(() => this.#read.delete(accountId));
    this.#read.delete(accountId);
    this.#read.set(accountId, { at, limits });
    const [oldest] = this.#read.keys();
    if (this.#read.size > MOST_KEPT && oldest !== undefined) this.#read.delete(oldest);
    return limits;
  }

  forget(accountId: string): void {
    this.#read.delete(accountId);
  }
}

/** Omitted limits revert to the server's. @throws ApiError 404 */
export async function changeLimits(
  { db }: OperatorAccountDeps,
  accountId: string,
  {
    limits,
    extraWrites,
  }: { limits: PersonLimits; extraWrites: (tx: Tx, before: PersonLimits) => Promise<void> },
): Promise<void> {
  const isGiven = Object.keys(limits).length > 0;
  await db.begin(async (tx) => {
    await lockPerson(tx, accountId);
    const before = (await selectLimits(tx, accountId)) ?? {};
    await tx`
      update accounts set limits = ${isGiven ? tx.json(limits) : null} where account_id = ${accountId}`;
    await extraWrites(tx, before);
  });
}

const SESSIONS_LISTED = 100;

/** People by id, by the whole e-mail address, or by the beginning of the name. */
export async function findPeople(
  { db, clock }: OperatorAccountDeps,
  query: string,
): Promise<OperatedPerson[]> {
  const text = query.trim();
  const now = clock.now();
  const accountIds = isId('usr', text)
    ? [text]
    : text.includes('@')
      ? [await findAccountIdByEmail(db, text)].filter((found) => found !== undefined)
      : await selectIdsByName(db, { beginning: text, limit: LIMITS.operatorSearchResults });
  if (accountIds.length === 0) return [];
  return (await selectPeople(db, { accountIds, now })).map((row) => view(row, now));
}

/** @throws ApiError 404 for a bot, a test person or a deleted account, too */
export async function showPerson(
  { db, clock }: OperatorAccountDeps,
  accountId: string,
): Promise<OperatedPerson> {
  const now = clock.now();
  const [row] = isId('usr', accountId) ? await selectPeople(db, { accountIds: [accountId], now }) : [];
  if (!row) throw notFound('account.unknown');
  return view(row, now);
}

/** The sessions of a person, the last used first. @throws ApiError 404 */
export async function listSessionsOf(
  deps: OperatorAccountDeps,
  accountId: string,
): Promise<{ userAgent: string; createdAt: number; lastSeenAt: number }[]> {
  await showPerson(deps, accountId);
  const rows = await selectSessions(deps.db, { accountId, now: deps.clock.now(), limit: SESSIONS_LISTED });
  return rows.map(({ userAgent, createdAt, lastSeenAt }) => ({ userAgent, createdAt, lastSeenAt }));
}

function view(row: PersonRow, now: number): OperatedPerson {
  const { lastSeenAt, suspendedUntil, suspensionReason, isDeactivated, limits, ...person } = row;
  const suspension = isDeactivated
    ? { until: NO_END, reason: say('account.deactivated').message }
    : suspendedUntil === null
      ? undefined
      : { until: suspendedUntil, reason: suspensionReason ?? '' };
  return {
    ...person,
    ownLimits: limits ?? {},
    ...(lastSeenAt !== null && { lastSeenAt }),
    ...(isInForce(suspension, now) && {
      suspension: {
        reason: suspension.reason,
        ...(suspension.until !== NO_END && { until: suspension.until }),
      },
    }),
  };
}

/**
 * Keeps a person from signing in until then, or until it is lifted, and ends all sessions: once this returns,
 * none of their requests is admitted. A second suspension replaces the first.
 *
 * @param until epoch milliseconds
 * @param extraWrites further writes in the same transaction
 * @throws ApiError 404
 */
export async function suspendPerson(
  { db, clock, live, hooks }: SuspensionDeps,
  accountId: string,
  { until = NO_END, reason }: { until: number | undefined; reason: string },
  extraWrites: (tx: Tx) => Promise<void>,
): Promise<void> {
  const ended = await db.begin(async (tx) => {
    await lockPerson(tx, accountId);
    await updateSuspension(tx, accountId, { until, reason });
    const held = await findHold(tx, accountId, clock.now());
    for (const hook of hooks) await hook.suspensionChanged?.(tx, { accountId, until: held });
    await extraWrites(tx);
    return endSessions(tx, accountId);
  });
  announceEnd(live, ended);
}

/** Also of a person whom a provider has deactivated. @throws ApiError 404; 400 for a person who is not suspended */
export async function liftSuspension(
  { db, clock, hooks }: SuspensionDeps,
  accountId: string,
  extraWrites: (tx: Tx) => Promise<void>,
): Promise<void> {
  await db.begin(async (tx) => {
    await lockPerson(tx, accountId);
    if ((await findHold(tx, accountId, clock.now())) === null)
      throw failedPrecondition('account.not-suspended');
    await updateSuspension(tx, accountId, undefined);
    await updateDeactivated(tx, accountId, null);
    for (const hook of hooks) await hook.suspensionChanged?.(tx, { accountId, until: null });
    await extraWrites(tx);
  });
}

async function lockPerson(tx: Tx, accountId: string): Promise<void> {
  // Bots are suspended with their application.
  if (!(await lockLogin(tx, accountId))) throw notFound('account.unknown');
}
