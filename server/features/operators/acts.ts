import { Readable } from 'node:stream';
import { OPERATE } from '#contract/api/operate.ts';
import type { OperatorAct, OperatorActName, OperatorActPage } from '#contract/operate/acts.ts';
import { findProviderNames } from '#features/sign-in-providers/index.ts';
import type { Tx } from '#platform/database.ts';
import { invalidArgument } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import { isId } from '#platform/ids.ts';
import type { OperatorCommandDeps, OperatorDeps } from './deps.ts';
import { type ActRow, COMMAND_LINE, insertAct, selectActs } from './queries.ts';

const PAGE = 50;
const EXPORTED_AT_ONCE = 500;
const AFTER_ALL = '~';

/**
 * An entry of the audit trail: the act, its subject, and details for an auditor. Details must not contain
 * secrets.
 */
export interface Act {
  /** Missing for the command line, and for a provider. */
  operatorId?: string | undefined;
  /** The sign-in provider that acts on its people. */
  providerId?: string | undefined;
  act: OperatorActName;
  subject: string;
  details?: ActRow['details'];
}

/** Records an act, in the transaction that performs it. */
export async function recordAct(
  tx: Tx,
  { clock, newId }: OperatorCommandDeps,
  { providerId, operatorId = providerId ?? COMMAND_LINE, act, subject, details = {} }: Act,
): Promise<void> {
  await insertAct(tx, {
    accountId: operatorId,
    actId: newId('act'),
    at: clock.now(),
    act,
    subject,
    details,
  });
}

/** The acts of operators, newest first. @throws ApiError 400 if `before` is not an actId */
export async function listActs(deps: OperatorCommandDeps, before?: string): Promise<OperatorActPage> {
  if (before !== undefined && !isId('act', before)) throw invalidArgument('before', 'not-an-act-id');
  const rows = await selectActs(deps.db, { before: before ?? AFTER_ALL, limit: PAGE + 1 });
  const acts = await view(deps, rows.slice(0, PAGE));
  return { acts, ...(rows.length > PAGE && { nextBefore: (acts.at(-1) as OperatorAct).actId }) };
}

/** The whole trail, newest first, one line of JSON each, including the export itself. */
export async function* exportActs(deps: OperatorDeps, operatorId?: string): AsyncGenerator<string> {
  await deps.db.write((tx) =>
    recordAct(tx, deps, { operatorId, act: 'trail.exported', subject: operatorId ?? '' }),
  );
  for (let before: string | undefined = AFTER_ALL; before !== undefined; ) {
    const rows: ActRow[] = await selectActs(deps.db, { before, limit: EXPORTED_AT_ONCE });
    for (const act of await view(deps, rows)) yield `${JSON.stringify(act)}\n`;
    before = rows.length === EXPORTED_AT_ONCE ? rows.at(-1)?.actId : undefined;
  }
}

async function view({ db, accounts }: OperatorCommandDeps, rows: ActRow[]): Promise<OperatorAct[]> {
  const isOfProvider = rows.some(({ accountId }) => isId('idp', accountId));
  const providers = isOfProvider ? await findProviderNames({ db }) : undefined;
  const operators = await accounts.findAll([...new Set(rows.map(({ accountId }) => accountId))]);
  const nameOf = new Map(operators.map(({ accountId, name }) => [accountId, name]));
  return rows.map(({ accountId, ...act }) => ({
    ...act,
    ...(isId('idp', accountId)
      ? { provider: { providerId: accountId, name: providers?.get(accountId) ?? accountId } }
      : accountId !== COMMAND_LINE && { operator: { accountId, name: nameOf.get(accountId) ?? '' } }),
  }));
}

/** The audit trail. */
export function actRoutes(deps: OperatorDeps) {
  return serve(OPERATE, {
    'GET /acts': ({ query }) => listActs(deps, query.before),
    'GET /acts/export': ({ operator, reply }) =>
      reply
        .type('application/x-ndjson')
        .header('content-disposition', 'attachment; filename="operators.ndjson"')
        .send(Readable.from(exportActs(deps, operator.accountId))),
  });
}
