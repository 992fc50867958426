import { PERSON_LIMITS } from '#contract/accounts/person-limits.ts';
import { OPERATE } from '#contract/api/operate.ts';
import type { PersonLimits } from '#contract/operate/people.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Tx } from '#platform/database.ts';
import { invalidArgument, permissionDenied } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import { type Act, recordAct } from './acts.ts';
import type { OperatorCommandDeps, OperatorDeps } from './deps.ts';
import { selectStanding } from './queries.ts';

/** The dependencies that the command line has, too. */
type ServerDeps = OperatorCommandDeps & { accounts: Pick<Accounts, 'operator'> };

/** The person concerned and the acting operator; without one, the command line. */
export interface OnPerson {
  operatorId?: string | undefined;
  accountId: string;
}

/** Operators cannot act on their own accounts here, so that nobody locks out the last one by mistake. */
function refuseSelf({ operatorId, accountId }: OnPerson): void {
  if (operatorId === accountId) throw permissionDenied('operator.own-account');
}

/** Operators cannot take over each other's accounts: whoever has the host can help with the command line. */
async function refuseOperator(
  { db }: OperatorCommandDeps,
  { operatorId, accountId }: OnPerson,
): Promise<void> {
  if (operatorId !== undefined && (await selectStanding(db, accountId)))
    throw permissionDenied('operator.only-command-line');
}

function recording(
  deps: OperatorCommandDeps,
  { operatorId, accountId }: OnPerson,
  act: Omit<Act, 'operatorId' | 'subject'>,
) {
  return (tx: Tx) => recordAct(tx, deps, { operatorId, subject: accountId, ...act });
}

/**
 * @param extraWrites in the same transaction
 * @throws ApiError 400 for an end in the past; 403 for the operator's own account; 404
 */
export async function suspendPerson(
  deps: OperatorCommandDeps,
  on: OnPerson,
  { reason, until }: { reason: string; until?: number },
  extraWrites?: (tx: Tx) => Promise<void>,
): Promise<void> {
  refuseSelf(on);
  if (until !== undefined && until <= deps.clock.now()) throw invalidArgument('until', 'in-the-past');
  const details = { reason, ...(until !== undefined && { until }) };
  await deps.accounts.operator.suspendPerson(
    { reason, until },
    {
      accountId: on.accountId,
      hooks: deps.accountHooks,
      async extraWrites(tx) {
        await recording(deps, on, { act: 'person.suspended', details })(tx);
        await extraWrites?.(tx);
      },
    },
  );
}

/** @throws ApiError 400 for a person who is not suspended; 404 */
export async function liftSuspension(deps: OperatorCommandDeps, on: OnPerson, reason: string): Promise<void> {
  await deps.accounts.operator.liftSuspension({
    accountId: on.accountId,
    hooks: deps.accountHooks,
    extraWrites: recording(deps, on, { act: 'person.suspension-lifted', details: { reason } }),
  });
}

/** @returns how many sessions ended */
export async function signPersonOut(deps: OperatorCommandDeps, on: OnPerson): Promise<number> {
  await deps.accounts.operator.showPerson(on.accountId);
  return deps.accounts.operator.endSessionsOfPerson(
    on.accountId,
    recording(deps, on, { act: 'person.signed-out' }),
  );
}

/** Gives a person a new password, and ends every session. @throws ApiError 400, 404 */
export async function resetPassword(
  deps: OperatorCommandDeps,
  on: OnPerson,
  password: string,
): Promise<void> {
  await deps.accounts.operator.resetPassword(
    on.accountId,
    password,
    recording(deps, on, { act: 'person.password-reset' }),
  );
}

/** Turns off two-factor sign-in for a person. @throws ApiError 400 if it is off */
export async function disableTwoFactor(deps: OperatorCommandDeps, on: OnPerson): Promise<void> {
  await deps.accounts.operator.disableTwoFactorOf(
    on.accountId,
    recording(deps, on, { act: 'person.two-factor-disabled' }),
  );
}

/** @throws ApiError 403 for the operator's own account; 404 */
export async function deletePerson(deps: ServerDeps, on: OnPerson, reason: string): Promise<void> {
  refuseSelf(on);
  await deps.accounts.operator.deletePerson(on.accountId, {
    hooks: deps.accountHooks,
    extraWrites: recording(deps, on, { act: 'person.deleted', details: { reason } }),
  });
}

/** A link to a new password for somebody who gets no mail. @throws ApiError 403 for an operator; 404 */
export async function makePasswordLink(
  deps: ServerDeps,
  on: OnPerson,
): Promise<{ link: string; expiresAt: number }> {
  await refuseOperator(deps, on);
  const made = await deps.accounts.operator.makeResetLink(on.accountId);
  await deps.db.write(recording(deps, on, { act: 'person.password-link-made' }));
  return made;
}

/**
 * A recovery code for somebody who lost the second factor. @throws ApiError 403 for an operator; 404; 400 if two-factor
 * sign-in is off
 */
export async function makeRecoveryCode(deps: ServerDeps, on: OnPerson): Promise<{ recoveryCode: string }> {
  await refuseOperator(deps, on);
  const recoveryCode = await deps.accounts.operator.makeRecoveryCode(
    on.accountId,
    recording(deps, on, { act: 'person.recovery-code-made' }),
  );
  return { recoveryCode };
}

/** Sets a person's limits that differ from the general ones. @throws ApiError 404 */
export async function changePersonLimits(
  deps: OperatorCommandDeps,
  on: OnPerson,
  limits: PersonLimits,
): Promise<void> {
  await deps.accounts.operator.changeLimits(on.accountId, {
    limits,
    extraWrites: recording(deps, on, { act: 'person.limits-changed', details: { ...limits } }),
  });
}

/** Finding people, and the acts that concern them. */
export function personRoutes(deps: OperatorDeps) {
  const { config, accounts } = deps;
  const { showPerson, findPeople, listSessionsOf } = accounts.operator;
  const showLimits = async (accountId: string) => ({
    own: (await showPerson(accountId)).ownLimits,
    server: Object.fromEntries(PERSON_LIMITS.map((name) => [name, config[name]])),
  });
  return serve(OPERATE, {
    'GET /people': async ({ query }) => ({ people: await findPeople(query.query) }),
    'GET /people/:accountId': ({ params: { accountId } }) => showPerson(accountId),
    'POST /people/:accountId/suspension': async ({ operator, params: { accountId }, body }) => {
      await suspendPerson(deps, { operatorId: operator.accountId, accountId }, body);
      return showPerson(accountId);
    },
    'DELETE /people/:accountId/suspension': async ({ operator, params: { accountId }, body }) => {
      await liftSuspension(deps, { operatorId: operator.accountId, accountId }, body.reason);
      return showPerson(accountId);
    },
    'GET /people/:accountId/sessions': async ({ params: { accountId } }) => ({
      sessions: await listSessionsOf(accountId),
    }),
    'GET /people/:accountId/limits': ({ params: { accountId } }) => showLimits(accountId),
    'PUT /people/:accountId/limits': async ({ operator, params: { accountId }, body }) => {
      await changePersonLimits(deps, { operatorId: operator.accountId, accountId }, body);
      return showLimits(accountId);
    },
    'DELETE /people/:accountId/sessions': async ({ operator, params: { accountId } }) => ({
      ended: await signPersonOut(deps, { operatorId: operator.accountId, accountId }),
    }),
    'DELETE /people/:accountId': async ({ operator, params: { accountId }, body }) => {
      await deletePerson(deps, { operatorId: operator.accountId, accountId }, body.reason);
      return {};
    },
    'POST /people/:accountId/password-link': ({ operator, params: { accountId } }) =>
      makePasswordLink(deps, { operatorId: operator.accountId, accountId }),
    'POST /people/:accountId/recovery-code': ({ operator, params: { accountId } }) =>
      makeRecoveryCode(deps, { operatorId: operator.accountId, accountId }),
  });
}
