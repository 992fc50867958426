import type { Language } from '#contract/languages.ts';
import { LIMITS } from '#contract/limits.ts';
import type { OperatedPerson } from '#contract/operate/people.ts';
import type { Db } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { OperatorAccountDeps } from '../deps.ts';
import { findAccountIdByEmail } from '../service.ts';
import { selectSessions } from '../sessions/queries.ts';
import { isInForce, NO_END } from '../suspension/rules.ts';
import { type PersonRow, selectIdsByName, selectPeople, selectPeopleInOrder } from './queries.ts';

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

/**
 * People in the order of their ids, with the language in which to write to them: English until a page has
 * reported one.
 */
export async function listPeople(
  at: Db,
  part: { after: string; before: string; limit: number },
): Promise<{ accountId: string; language: Language }[]> {
  const rows = await selectPeopleInOrder(at, part);
  return rows.map(({ accountId, language }) => ({ accountId, language: language ?? 'en' }));
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
  const { lastSeenAt, suspendedUntil, suspensionReason, limits, ...person } = row;
  const suspension =
    suspendedUntil === null ? undefined : { until: suspendedUntil, reason: suspensionReason ?? '' };
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
