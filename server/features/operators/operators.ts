import type { Tx } from '#platform/database.ts';
import { alreadyExists, notFound } from '#platform/errors.ts';
import { recordAct } from './acts.ts';
import type { OperatorCommandDeps } from './deps.ts';
import { deleteOperator, deleteOperatorByProvider, insertOperator, selectOperators } from './queries.ts';

/** Somebody who may use the operators' console. */
export interface NamedOperator {
  accountId: string;
  name: string;
  namedAt: number;
}

/** In the order in which they were appointed. */
export async function listOperators({ db, accounts }: OperatorCommandDeps): Promise<NamedOperator[]> {
  const rows = await selectOperators(db);
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
    if (!(await insertOperator(tx, { accountId, namedAt: clock.now() }))) {
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
    : await deleteOperatorByProvider(tx, { accountId, providerId });
  if (!isChanged) return;
  const act = isOperator ? 'operator.added' : 'operator.removed';
  await recordAct(tx, deps, { providerId, act, subject: accountId });
}
