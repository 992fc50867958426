import type { ApplicationState } from '#contract/applications.ts';
import type { Db } from '#platform/database.ts';

interface ApplicationLine {
  appId: string;
  name: string;
  state: ApplicationState;
  requestsPerMinute: number;
  ownerEmail: string | null;
  botUsername: string | null;
  createdAt: number;
}

/** A read over all shards; of one owner, or of all. Rows of different groups of tables are combined here, not by a join. */
export async function listApplications(db: Db, onlyOwnerId?: string): Promise<ApplicationLine[]> {
  const applications = await db<
    (Omit<ApplicationLine, 'ownerEmail' | 'botUsername'> & { ownerId: string })[]
  >`
    select app_id, owner_id, name, state, requests_per_minute, created_at from applications
    where state <> 'deleted' order by app_id`;
  const bots = await db<{ appId: string; username: string }[]>`
    select app_id, username from bots where deleted_at is null`;
  const owners = await db<{ accountId: string; email: string | null }[]>`
    select account_id, email from accounts where not is_bot`;
  const usernames = new Map(bots.map(({ appId, username }) => [appId, username]));
  const emails = new Map(owners.map(({ accountId, email }) => [accountId, email]));
  return applications
    .filter(({ ownerId }) => onlyOwnerId === undefined || ownerId === onlyOwnerId)
    .map(({ ownerId, ...application }) => ({
      ...application,
      ownerEmail: emails.get(ownerId) ?? null,
      botUsername: usernames.get(application.appId) ?? null,
    }));
}

interface PersonLine {
  accountId: string;
  name: string;
  email: string | null;
  createdAt: number;
  lastSeenAt: number | null;
  sessions: number;
  applications: number;
}

export async function listPeople(db: Db): Promise<PersonLine[]> {
  return db<PersonLine[]>`
    select a.account_id, a.name, a.email, a.created_at,
      (select max(last_seen_at) from sessions s where s.account_id = a.account_id) as last_seen_at,
      (select count(*)::integer from sessions s where s.account_id = a.account_id) as sessions,
      (select count(*)::integer from account_applications p where p.account_id = a.account_id) as applications
    from accounts a where not a.is_bot and a.deleted_at is null order by a.account_id`;
}
