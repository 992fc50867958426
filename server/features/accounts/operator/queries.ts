import type { Language } from '#contract/languages.ts';
import type { PersonLimits } from '#contract/operate/people.ts';
import { beginsWith } from '#platform/database/like.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { Suspension } from '../suspension/rules.ts';

export interface PersonRow {
  accountId: string;
  name: string;
  email: string;
  createdAt: number;
  lastSeenAt: number | null;
  sessions: number;
  isTwoFactorOn: boolean;
  suspendedUntil: Suspension['until'] | null;
  suspensionReason: Suspension['reason'] | null;
  limits: PersonLimits | null;
}

/** People whose names begin with a text, ignoring case. A read over all shards. */
export async function selectIdsByName(
  db: Db,
  { beginning, limit }: { beginning: string; limit: number },
): Promise<string[]> {
  const rows = await db<{ accountId: string }[]>`
    select account_id from accounts
    where lower(name) like ${beginsWith(beginning)} and not is_bot and deleted_at is null
    order by lower(name), account_id limit ${limit}`;
  return rows.map(({ accountId }) => accountId);
}

/** Those of the accounts that belong to people and are not deleted. A read over many shards. */
export async function selectPeople(
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
      account.suspended_until, account.suspension_reason, account.limits
    from accounts account
    where account.account_id = any(${accountIds}) and not account.is_bot and account.deleted_at is null
      and account.email is not null
    order by lower(account.name), account.account_id`;
}

/** How many people have an account whose id is before this one. A read over all shards. */
export async function countPeople(db: Db, before: string): Promise<number> {
  const [row] = await db<{ people: number }[]>`
    select count(*)::integer as people from accounts
    where account_id < ${before} and not is_bot and deleted_at is null and email is not null`;
  return row?.people ?? 0;
}

/** People in the order of their ids, with the language that they read. A read over all shards. */
export async function selectPeopleInOrder(
  db: Db,
  { after, before, limit }: { after: string; before: string; limit: number },
): Promise<{ accountId: string; language: Language | null }[]> {
  return db<{ accountId: string; language: Language | null }[]>`
    select account_id, language from accounts
    where account_id > ${after} and account_id < ${before} and not is_bot and deleted_at is null
      and email is not null
    order by account_id limit ${limit}`;
}

export async function selectLimits(db: Db, accountId: string): Promise<PersonLimits | undefined> {
  const [row] = await db<{ limits: PersonLimits | null }[]>`
    select limits from accounts where account_id = ${accountId}`;
  return row?.limits ?? undefined;
}

/** False if there is no such person. */
export async function updateLimits(tx: Tx, accountId: string, limits: PersonLimits | null): Promise<boolean> {
  const rows = await tx`
    update accounts set limits = ${limits === null ? null : tx.json(limits)}
    where account_id = ${accountId} and not is_bot and deleted_at is null and email is not null
    returning account_id`;
  return rows.length === 1;
}
