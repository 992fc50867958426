import { PERSON_LIMITS } from '#contract/accounts/person-limits.ts';
import { OPERATE } from '#contract/api/operate.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Tx } from '#platform/database.ts';
import { invalidArgument, permissionDenied } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import { type Acts, type By, byActs, changesOf, type Recorder } from './acts.ts';
import type { OperatorCommandDeps, OperatorDeps } from './deps.ts';
import { selectStanding } from './operators.ts';

/** The dependencies that the command line has, too. */
type ServerDeps = OperatorCommandDeps & { accounts: Pick<Accounts, 'operator'> };

/** The person concerned and the acting operator. */
interface OnPerson extends By {
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

/** @throws ApiError 400 for an end in the past; 403 for the operator's own account; 404 */
export async function suspendPerson(
  { accounts, clock }: OperatorCommandDeps,
  on: OnPerson,
  { reason, until }: { reason: string; until?: number },
  record: Recorder,
): Promise<void> {
  refuseSelf(on);
  if (until !== undefined && until <= clock.now()) throw invalidArgument('until', 'in-the-past');
  const extraWrites = record({ reason, ...(until !== undefined && { until }) });
  await accounts.operator.suspendPerson(on.accountId, { reason, until }, extraWrites);
}

async function showLimits({ config, accounts }: OperatorCommandDeps, accountId: string) {
  return {
    own: (await accounts.operator.showPerson(accountId)).ownLimits,
    server: Object.fromEntries(PERSON_LIMITS.map((name) => [name, config[name]])),
  };
}

/** Acts on people. */
export const personActs = {
  'person.suspended': async (deps, on, suspension, record) => {
    await suspendPerson(deps, on, suspension, record);
    return deps.accounts.operator.showPerson(on.accountId);
  },
  'person.suspension-lifted': async (deps, { accountId }, { reason }, record) => {
    const { liftSuspension, showPerson } = deps.accounts.operator;
    await liftSuspension(accountId, record({ reason }));
    return showPerson(accountId);
  },
  'person.signed-out': async ({ accounts }, { accountId }, _, record) => {
    await accounts.operator.showPerson(accountId);
    return { ended: await accounts.operator.endSessionsOfPerson(accountId, record()) };
  },
  'person.limits-changed': async (deps, { accountId }, limits, record) => {
    const extraWrites = (tx: Tx, before: typeof limits) =>
      record(changesOf(PERSON_LIMITS, before, limits))(tx);
    await deps.accounts.operator.changeLimits(accountId, { limits, extraWrites });
    return showLimits(deps, accountId);
  },
  /** It also ends every session. */
  'person.password-reset': ({ accounts }, { accountId }: OnPerson, password: string, record) =>
    accounts.operator.resetPassword(accountId, password, record()),
  'person.two-factor-disabled': ({ accounts }, { accountId }: OnPerson, _: undefined, record) =>
    accounts.operator.disableTwoFactor(accountId, record()),
} satisfies Acts<OperatorCommandDeps>;

/** Acts on people for which the command line opens the whole server. */
export const accountActs = {
  'person.deleted': async ({ accounts }, on, { reason }, record) => {
    refuseSelf(on);
    await accounts.operator.deletePerson(on.accountId, record({ reason }));
  },
  /** For somebody who gets no mail. */
  'person.password-link-made': async (deps, on, _, record) => {
    await refuseOperator(deps, on);
    const made = await deps.accounts.operator.makeResetLink(on.accountId);
    await deps.db.write(record());
    return made;
  },
  /** For somebody who lost the second factor. */
  'person.recovery-code-made': async (deps, on, _, record) => {
    await refuseOperator(deps, on);
    return { recoveryCode: await deps.accounts.operator.makeRecoveryCode(on.accountId, record()) };
  },
} satisfies Acts<ServerDeps>;

/** Finding people, and the acts that concern them. */
export function personRoutes(deps: OperatorDeps) {
  const { showPerson, findPeople, listSessionsOf } = deps.accounts.operator;
  return [
    serve(OPERATE, {
      'GET /people': async ({ query }) => ({ people: await findPeople(query.query) }),
      'GET /people/:accountId': ({ params: { accountId } }) => showPerson(accountId),
      'GET /people/:accountId/sessions': async ({ params: { accountId } }) => ({
        sessions: await listSessionsOf(accountId),
      }),
      'GET /people/:accountId/limits': ({ params: { accountId } }) => showLimits(deps, accountId),
    }),
    serve(OPERATE, byActs(deps, { ...personActs, ...accountActs })),
  ];
}
