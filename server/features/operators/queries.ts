import type { ActDetails, OperatorActName } from '#contract/operate/acts.ts';
import type { Db, Tx } from '#platform/database.ts';

/** Instead of an operator's id: the command line acts. */
export const COMMAND_LINE = 'command-line';

export interface OperatorRow {
  accountId: string;
  namedAt: number;
  /** The provider that says so; null: the command line. */
  providerId?: string | null;
}

/** False if the person is already an operator. */
export async function insertOperator(
  tx: Tx,
  { accountId, namedAt, providerId = null }: OperatorRow,
): Promise<boolean> {
  const rows = await tx`
    insert into operators (account_id, named_at, provider_id) values (${accountId}, ${namedAt}, ${providerId})
    on conflict (account_id) do nothing returning account_id`;
  return rows.length === 1;
}

/** False if the person was not an operator. */
export async function deleteOperator(tx: Tx, accountId: string): Promise<boolean> {
  const rows = await tx`delete from operators where account_id = ${accountId} returning account_id`;
  return rows.length === 1;
}

/** False if the person was not an operator by this provider. */
export async function deleteOperatorByProvider(
  tx: Tx,
  { accountId, providerId }: { accountId: string; providerId: string },
): Promise<boolean> {
  const rows = await tx`
    delete from operators where account_id = ${accountId} and provider_id = ${providerId} returning account_id`;
  return rows.length === 1;
}

/** A deletion over all shards. */
export async function deleteOperatorsOfProvider(tx: Tx, providerId: string): Promise<void> {
  await tx`delete from operators where provider_id = ${providerId}`;
}

/** A read over all shards; they are few. */
export async function selectOperators(db: Db): Promise<OperatorRow[]> {
  return db<OperatorRow[]>`select account_id, named_at from operators order by named_at, account_id`;
}

/** Whether somebody is an operator, and needs a second factor to sign in. */
export async function selectStanding(
  db: Db,
  accountId: string,
): Promise<{ isTwoFactorOn: boolean } | undefined> {
  const [row] = await db<{ isTwoFactorOn: boolean }[]>`
    select exists (
      select from two_factor_secrets
      where two_factor_secrets.account_id = operators.account_id and enabled_at is not null
    ) as is_two_factor_on
    from operators where account_id = ${accountId}`;
  return row;
}

export interface ActRow {
  /** The id of the operator or the sign-in provider, or {@link COMMAND_LINE}. */
  accountId: string;
  actId: string;
  at: number;
  act: OperatorActName;
  subject: string;
  details: ActDetails;
}

export async function insertAct(tx: Tx, row: ActRow): Promise<void> {
  await tx`
    insert into operator_acts (account_id, act_id, at, act, subject, details)
    values (${row.accountId}, ${row.actId}, ${row.at}, ${row.act}, ${row.subject}, ${tx.json(row.details)})`;
}

/** The last act of this name about a subject. A read over all shards. */
export async function selectLastAct(
  db: Db,
  { act, subject }: Pick<ActRow, 'act' | 'subject'>,
): Promise<Pick<ActRow, 'accountId' | 'details'> | undefined> {
  const [row] = await db<ActRow[]>`
    select account_id, details from operator_acts
    where subject = ${subject} and act = ${act} order by act_id desc limit 1`;
  return row;
}

/** Newest first. */
export async function selectActs(
  db: Db,
  { before, limit }: { before: string; limit: number },
): Promise<ActRow[]> {
  return db<ActRow[]>`
    select account_id, act_id, at, act, subject, details
    from operator_acts where act_id < ${before} order by act_id desc limit ${limit}`;
}
