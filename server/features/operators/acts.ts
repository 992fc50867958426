import { Readable } from 'node:stream';
import { OPERATE } from '#contract/api/operate.ts';
import type { PathParameters, ValueOf } from '#contract/endpoints.ts';
import type {
  ActDetail,
  ActDetails,
  OperatorAct,
  OperatorActName,
  OperatorActPage,
} from '#contract/operate/acts.ts';
import { findProviderNames } from '#features/sign-in-providers/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { AFTER_ALL, pageOf, readCursor } from '#platform/http/cursor.ts';
import { serve } from '#platform/http/serve.ts';
import { isId } from '#platform/ids.ts';
import type { OperatorCommandDeps, OperatorDeps } from './deps.ts';

/** Instead of an operator's id: the command line acts. */
const COMMAND_LINE = 'command-line';
const PAGE = 50;
const EXPORTED_AT_ONCE = 500;
/** The subject of an act that concerns all of it: there is one server. */
const SERVER = 'server';

/** Who acts: an operator, or without one the command line. */
export interface By {
  operatorId?: string | undefined;
}

/** An entry of the audit trail: the act, its subject, and details for an auditor, which must not contain secrets. */
export interface Act extends By {
  /** The sign-in provider that acts on its people. */
  providerId?: string | undefined;
  act: OperatorActName;
  subject: string;
  details?: ActDetails;
}

/**
 * Records the act that is performed, in the transaction that performs it. Unless it is given, the subject is what the path
 * of the endpoint names.
 */
export type Recorder = (details?: ActDetails) => (tx: Tx, subject?: string) => Promise<void>;

type Setting = string | number | boolean | readonly string[] | null;

/** The details of a change: the settings that it changes. */
export function changesOf<N extends ActDetail>(
  names: readonly N[],
  before: { readonly [A in N]?: Setting },
  after: { readonly [A in N]?: Setting },
): ActDetails {
  const shown = (value: Setting | undefined) =>
    Array.isArray(value) ? value.join(', ') : (value ?? undefined);
  const changes = names.map((name) => [name, { from: shown(before[name]), to: shown(after[name]) }] as const);
  return Object.fromEntries(changes.filter(([, { from, to }]) => from !== to));
}

type Endpoints = typeof OPERATE.endpoints;
/** The endpoint of an act; never for what only the command line does. */
type KeyOf<A> = { [K in keyof Endpoints]: Endpoints[K] extends { act: A } ? K : never }[keyof Endpoints];

/** How acts are performed, by their names in the trail; path and body are those of the endpoint. */
export type Acts<D> = {
  [A in OperatorActName]?: (
    deps: D,
    on: By & PathParameters<KeyOf<A>>,
    body: ValueOf<Endpoints[KeyOf<A>], 'body'>,
    record: Recorder,
  ) => Promise<unknown>;
};

type Given<F> = F extends (deps: never, on: infer On, body: infer Body, ...rest: never[]) => unknown
  ? [unknown] extends [Body]
    ? [on: On]
    : undefined extends Body
      ? [on: On, body?: Body]
      : [on: On, body: Body]
  : never;
type ResultOf<F> = F extends (...given: never[]) => infer R ? R : never;
type AnyAct = (deps: unknown, on: By, body: unknown, record: Recorder) => Promise<unknown>;

function run(deps: OperatorCommandDeps, acts: object, act: OperatorActName, ...[on, body]: [By, unknown?]) {
  const { operatorId, ...ids } = on;
  const [named = SERVER] = Object.values<string>(ids);
  const record: Recorder =
    (details) =>
    (tx, subject = named) =>
      recordAct(tx, deps, { operatorId, act, subject, ...(details && { details }) });
  return (acts as Record<string, AnyAct>)[act]?.(deps, on, body, record);
}

/** `perform('person.suspended', { operatorId, accountId }, { reason })`; each is recorded under its name. */
export function performing<D extends OperatorCommandDeps, T extends Acts<D>>(deps: D, acts: T) {
  return <A extends keyof T & OperatorActName>(act: A, ...[on, body]: Given<T[A]>) =>
    run(deps, acts, act, on as By, body) as ResultOf<T[A]>;
}

type Shown<T> = { [A in keyof T]?: (on: PathParameters<KeyOf<A>>) => unknown };
type AnswerOf<T, S, A> = Awaited<ResultOf<A extends keyof S ? S[A] : A extends keyof T ? T[A] : never>>;
type AnyHandler<R = unknown> = (given: {
  operator: { accountId: string };
  params: unknown;
  body: unknown;
}) => Promise<R>;
type Handlers<T, S> = {
  [K in KeyOf<keyof T>]: Endpoints[K] extends { act: infer A } ? AnyHandler<AnswerOf<T, S, A>> : never;
};

/** Answers the endpoints of acts by performing them. @param shown what shows the subject, for acts that return nothing */
export function byActs<D extends OperatorCommandDeps, T extends Acts<D>, S extends Shown<T> = object>(
  deps: D,
  acts: T,
  shown?: S,
): Handlers<T, S> {
  const shows = (shown ?? {}) as Record<string, (on: unknown) => unknown>;
  const handlers = Object.entries(OPERATE.endpoints).flatMap(([key, endpoint]) => {
    const act = 'act' in endpoint ? endpoint.act : undefined;
    if (act === undefined || !(act in acts)) return [];
    const handle: AnyHandler = async ({ operator, params, body }) => {
      const on = { operatorId: operator.accountId, ...(params as object) };
      const result = await run(deps, acts, act, on, body);
      return shows[act] ? shows[act](params) : result;
    };
    return [[key, handle]];
  });
  return Object.fromEntries(handlers);
}

/** Records an act, in the transaction that performs it. */
export async function recordAct(
  tx: Tx,
  { clock, newId }: OperatorCommandDeps,
  { providerId, operatorId = providerId ?? COMMAND_LINE, act, subject, details = {} }: Act,
): Promise<void> {
  const row = { accountId: operatorId, actId: newId('act'), at: clock.now(), act, subject };
  await tx`insert into operator_acts ${tx({ ...row, details: tx.json(details) })}`;
}

interface ActRow {
  /** The id of the operator or the sign-in provider, or {@link COMMAND_LINE}. */
  accountId: string;
  actId: string;
  at: number;
  act: OperatorActName;
  subject: string;
  details: ActDetails;
}

/** Newest first. */
async function selectActs(db: Db, { before, limit }: { before: string; limit: number }): Promise<ActRow[]> {
  return db<ActRow[]>`
    select account_id, act_id, at, act, subject, details
    from operator_acts where act_id < ${before} order by act_id desc limit ${limit}`;
}

/** The acts of operators, newest first. @throws ApiError 400 if `before` is not an actId */
export async function listActs(deps: OperatorCommandDeps, before?: string): Promise<OperatorActPage> {
  const start = readCursor('act', 'before', before, 'not-an-act-id') ?? AFTER_ALL;
  const rows = await selectActs(deps.db, { before: start, limit: PAGE + 1 });
  const { page, last } = pageOf(rows, PAGE);
  return { acts: await view(deps, page), ...(last && { nextBefore: last.actId }) };
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
  const personOf = await accounts.findByIds(rows.map(({ accountId }) => accountId));
  return rows.map(({ accountId, ...act }) => ({
    ...act,
    ...(isId('idp', accountId)
      ? { provider: { providerId: accountId, name: providers?.get(accountId) ?? accountId } }
      : accountId !== COMMAND_LINE && {
          operator: { accountId, name: personOf.get(accountId)?.name || accountId },
        }),
  }));
}

/** For the console, with the names of what they concern. */
async function listNamedActs(deps: OperatorDeps, before?: string): Promise<OperatorActPage> {
  const page = await listActs(deps, before);
  const idsOf = (kind: 'usr' | 'app') => [
    ...new Set(page.acts.flatMap(({ subject }) => (isId(kind, subject) ? subject : []))),
  ];
  const [people, applications, providers] = await Promise.all([
    deps.accounts.findAll(idsOf('usr')),
    deps.applications.operator.findAll(idsOf('app')),
    findProviderNames(deps),
  ]);
  const nameOf = new Map([
    ...people.map(({ accountId, name }) => [accountId, name] as const),
    ...applications.map(({ appId, name }) => [appId, name] as const),
    ...providers,
  ]);
  const acts = page.acts.map((act) => {
    const subjectName = nameOf.get(act.subject);
    return subjectName ? { ...act, subjectName } : act;
  });
  return { ...page, acts };
}

/** The audit trail. */
export function trailRoutes(deps: OperatorDeps) {
  return serve(OPERATE, {
    'GET /acts': ({ query }) => listNamedActs(deps, query.before),
    'GET /acts/export': ({ operator, reply }) =>
      reply
        .type('application/x-ndjson')
        .header('content-disposition', 'attachment; filename="operators.ndjson"')
        .send(Readable.from(exportActs(deps, operator.accountId))),
  });
}
