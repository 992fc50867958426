import type { Db, Tx } from '#platform/database.ts';
import { alreadyExists, notFound } from '#platform/errors.ts';
import { recordAct } from './acts.ts';
import type { OperatorCommandDeps } from './deps.ts';

/** Somebody who may use the operators' console. */
export interface NamedOperator {
  accountId: string;
  name: string;
  namedAt: number;
}

/** In the order in which they were appointed. A read over all shards; they are few. */
export async function listOperators({ db, accounts }: OperatorCommandDeps): Promise<NamedOperator[]> {
  const rows = await db<Omit<NamedOperator, 'name'>[]>`
    select account_id, named_at from operators order by named_at, account_id`;
  const personOf = await accounts.findByIds(rows.map(({ accountId }) => accountId));
  return rows.map((row) => ({ ...row, name: personOf.get(row.accountId)?.name ?? '' }));
}

/** Makes a person an operator. @throws ApiError 404; 409 if the person is already an operator */
export async function addOperator(deps: OperatorCommandDeps, email: string): Promise<string> {
  const { db, clock, accounts } = deps;
  const accountId = await deps.accounts.requireIdByEmail(email);
  await db.begin(async (tx) => {
    const [account] = await accounts.lockShared(tx, [accountId]);
    if (account?.deletedAt !== null) throw notFound('account.email-unknown');
    if (!(await insertOperator(tx, { accountId, namedAt: clock.now(), providerId: null }))) {
      throw alreadyExists('operator.named');
    }
    await recordAct(tx, deps, { act: 'operator.added', subject: accountId });
  });
  return accountId;
}

/** @throws ApiError 404 */
export async function removeOperator(deps: OperatorCommandDeps, email: string): Promise<string> {
  const accountId = await deps.accounts.requireIdByEmail(email);
  await deps.db.begin(async (tx) => {
    if (!(await deleteOperator(tx, accountId))) throw notFound('operator.unknown');
    await recordAct(tx, deps, { act: 'operator.removed', subject: accountId });
  });
  return accountId;
}

/** In the transaction of a sign-in: the provider says whether the person is an operator. */
export async function setByProvider(
  deps: OperatorCommandDeps,
  tx: Tx,
  { accountId, providerId, isOperator }: { accountId: string; providerId: string; isOperator: boolean },
): Promise<void> {
  const isChanged = isOperator
    ? await insertOperator(tx, { accountId, providerId, namedAt: deps.clock.now() })
    : await deleteOperator(tx, accountId, providerId);
  if (!isChanged) return;
  const act = isOperator ? 'operator.added' : 'operator.removed';
  await recordAct(tx, deps, { providerId, act, subject: accountId });
}

/** False if the person is already an operator. @param providerId of the provider that says so; null: the command line */
async function insertOperator(
  tx: Tx,
  row: { accountId: string; namedAt: number; providerId: string | null },
): Promise<boolean> {
  const rows = await tx`
    insert into operators ${tx(row)} on conflict (account_id) do nothing returning account_id`;
  return rows.length === 1;
}

/** False if the person was not an operator, or not by this provider. */
export async function deleteOperator(tx: Tx, accountId: string, providerId?: string): Promise<boolean> {
  const rows = await tx`
    delete from operators
    where account_id = ${accountId} ${providerId === undefined ? tx`` : tx`and provider_id = ${providerId}`}
    returning account_id`;
  return rows.length === 1;
}

/** A deletion over all shards. */
export async function deleteOperatorsOfProvider(tx: Tx, providerId: string): Promise<void> {
  await tx`delete from operators where provider_id = ${providerId}`;
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
