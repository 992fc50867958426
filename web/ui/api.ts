import type { TSchema } from 'typebox';
import type { ACCOUNT, SIGN_IN } from '#contract/api/auth.ts';
import type { CHAT } from '#contract/api/chat.ts';
import type { APPLICATION, CONSOLE } from '#contract/api/console.ts';
import type { OPERATE } from '#contract/api/operate.ts';
import type { SIMULATOR } from '#contract/api/simulator.ts';
import type { V1 } from '#contract/api/v1.ts';
import type { PathParameters, ValueOf } from '#contract/endpoints.ts';
import type { Values } from '#contract/texts.ts';
import type { Finding } from '#contract/webhooks/finding.ts';
import { noteServerTime } from './clock.ts';

/** An error from the server (contract §1, error envelope), or `status` 0 if it could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | undefined;
  /** Set if pages can translate the message (see `contract/reasons.ts`). */
  readonly reason: string | undefined;
  readonly values: Values | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    details: Partial<Pick<ApiError, 'retryAfterSeconds' | 'requestId' | 'reason' | 'values'>> = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    Object.assign(this, details);
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

interface CallOptions {
  signal?: AbortSignal;
  /** Makes a request safe to repeat: the server returns its first response again. */
  idempotencyKey?: string;
  /** Completes the request even if the page is closed meanwhile. */
  keepalive?: boolean;
  /** Makes a request of the public API as a bot. */
  apiKey?: string;
}

/** Two tables below one prefix. */
type Both<One extends AnyTable, Other extends AnyTable> = {
  prefix: string;
  endpoints: One['endpoints'] & Other['endpoints'];
};
export type AnyTable = { prefix: string; endpoints: object };

/** The keys of a table's endpoints, such as `GET /people`. */
export type KeyOf<Table extends AnyTable> = keyof Table['endpoints'] & string;
/** The parameters, query and body of an endpoint. */
export type InputOf<Table extends AnyTable, Key extends KeyOf<Table>> = Input<Key, Table['endpoints'][Key]> &
  CallOptions;
export type AnswerOf<Table extends AnyTable, Key extends KeyOf<Table>> = Answer<Table['endpoints'][Key]>;
/** The arguments of a call that needs this input: endpoints that need none may be called without. */
export type Given<Input> = object extends Input ? [input?: Input] : [input: Input];
/** Calls the endpoints of a table, by name. */
export type Caller<Table extends AnyTable> = <Key extends KeyOf<Table>>(
  key: Key,
  ...given: Given<InputOf<Table, Key>>
) => Promise<AnswerOf<Table, Key>>;

type Confirm = () => Promise<boolean>;

let confirmIdentity: Confirm = async () => false;

/** Asks the person to confirm their identity when the server requires a recent sign-in; see {@link ConfirmIdentity}. */
export function onConfirmationNeeded(confirm: Confirm): void {
  confirmIdentity = confirm;
}

/** Numbers travel as texts. */
type Query<Q> = { [Name in keyof Q]: Q[Name] | (string extends Q[Name] ? number : never) | undefined };

/** The input of an endpoint: parameters of its path, query and body, as far as it has them. */
type Input<Key, E> = (unknown extends PathParameters<Key> ? unknown : { params: PathParameters<Key> }) &
  (E extends { query: TSchema }
    ? object extends ValueOf<E, 'query'>
      ? { query?: Query<ValueOf<E, 'query'>> }
      : { query: Query<ValueOf<E, 'query'>> }
    : unknown) &
  (E extends { body: TSchema }
    ? null extends ValueOf<E, 'body'>
      ? { body?: ValueOf<E, 'body'> }
      : { body: ValueOf<E, 'body'> }
    : unknown);

type ShownInput = CallOptions & {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: object;
};

/** The `data` of the envelope, which raw endpoints describe themselves. */
type Answer<E> = E extends { isRaw: true }
  ? ValueOf<E, 'reply'> extends { data: infer Data }
    ? Data
    : never
  : ValueOf<E, 'reply'>;

/** Calls the endpoints of a table, by name: path, input and answer have the types of the entry. */
function callerOf<Table extends AnyTable>(prefix: string): Caller<Table> {
  return async (key, ...[input]) => {
    const { params, query, body, ...options }: ShownInput = input ?? {};
    const [method, pattern] = key.split(' ') as [string, string];
    const path = pattern.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params?.[name])));
    const answer = await confirmed(
      method,
      withQuery(prefix + path, query ?? {}),
      method === 'GET' ? undefined : (body ?? {}),
      options,
    );
    return read(answer);
  };
}

export type ConsoleTable = Both<typeof CONSOLE, Both<typeof APPLICATION, typeof SIMULATOR>>;

export const callChat = callerOf<typeof CHAT>('/api/chat');
export const callConsole = callerOf<ConsoleTable>('/api/console');
export const callOperate = callerOf<typeof OPERATE>('/api/operate');
export const callV1 = callerOf<typeof V1>('');
export const callAuth = callerOf<Both<typeof SIGN_IN, typeof ACCOUNT>>('/api/auth');

/** A path with its query; undefined values are omitted. */
export function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Sends a request; if the server requires a recent sign-in, asks the person to confirm it and sends the request again. */
export async function confirmed(
  method: string,
  path: string,
  body?: object,
  options?: CallOptions,
): Promise<Response> {
  const answer = await send(method, path, body, options);
  if (answer.headers.get('x-confirm') !== 'sign-in' || !(await confirmIdentity())) return answer;
  return send(method, path, body, options);
}

async function send(
  method: string,
  path: string,
  body: object | undefined,
  { signal, idempotencyKey, keepalive = false, apiKey }: CallOptions = {},
): Promise<Response> {
  const sentAt = Date.now();
  try {
    const answer = await fetch(path, {
      method,
      credentials: 'same-origin',
      keepalive,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    noteServerTime(answer.headers.get('date'), sentAt);
    return answer;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable();
  }
}

export function unreachable(): ApiError {
  return new ApiError(0, 'unreachable', 'the server cannot be reached');
}

/** The content of a response's envelope. */
export async function read<T>(answer: Response): Promise<T> {
  const envelope = await answer.json().catch(() => undefined);
  if (answer.ok && envelope) return envelope.data as T;
  // The response was cut off: the request may have been carried out.
  if (answer.ok) throw unreachable();
  throw refusalOf(answer, envelope, (name) => answer.headers.get(name));
}

/** The error in a response. */
export function refusalOf(
  { status, statusText }: { status: number; statusText: string },
  envelope: (Partial<Finding> & { code: string }) | null | undefined,
  headerOf: (name: string) => string | null,
): ApiError {
  const { code = 'unknown', message = statusText, reason, values } = envelope ?? {};
  return new ApiError(status, code, message, {
    retryAfterSeconds: Number(headerOf('retry-after')) || undefined,
    requestId: headerOf('x-request-id') ?? undefined,
    reason,
    values,
  });
}
