import type { ServerContext } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { V1 } from '#contract/api/v1.ts';
import { type EndpointFor, parametersOf, type ValueOf } from '#contract/endpoints.ts';
import type { Credential } from '#features/applications/index.ts';
import { unavailable } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { clientAddress } from '#platform/http/client-address.ts';
import { bearerToken } from '../admission.ts';

type Operations = typeof V1.endpoints;

/** An operation of the public API, such as `POST /v1/messages`. */
export type OperationKey = keyof Operations;

/** The arguments of a tool, as they came. */
export type Arguments = Record<string, unknown>;

/** Who calls a tool. */
export interface Caller {
  app: App;
  credential: Credential;
  /** The request to `/mcp`. */
  request: FastifyRequest;
  /** Aborted when the server stops: then it takes no more requests of its own. */
  stopping: AbortSignal;
}

/** A call of a tool, and what the tool may do with it. */
export interface ToolCall {
  credential: Credential;
  /** The id of the JSON-RPC request. */
  id: string | number;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Aborted when the server stops: an operation is then refused, and a wait should end. */
  stopping: AbortSignal;
  /**
   * Calls an operation with the caller's credential, and returns its `data`.
   *
   * @throws OperationRefused
   */
  operate<K extends OperationKey>(key: K, given: Arguments): Promise<ValueOf<Operations[K], 'reply'>>;
  /**
   * Validates the arguments of a tool that is not an operation.
   *
   * @throws Error with the faults, like a route
   */
  check<S extends TSchema>(schema: S, given: Arguments): Static<S>;
  /** Reports progress to a client that has asked for it. */
  progress(done: number, total: number, message: string): void;
}

/** The error that an operation was answered with. */
export class OperationRefused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, { code, message }: { code: string; message: string }) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function createToolCall(
  caller: Caller,
  { id, signal, notify, _meta }: ServerContext['mcpReq'],
): ToolCall {
  const { credential, request, stopping } = caller;
  const progressToken = _meta?.progressToken;
  return {
    credential,
    id,
    signal,
    stopping,
    operate: (key, given) => operate(caller, key, given),
    check(schema, given) {
      const validate = request.compileValidationSchema(schema, 'body');
      if (!validate(given)) throw Object.assign(new Error(), { validation: validate.errors });
      return given as Static<typeof schema>;
    },
    progress(progress, total, message) {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total, message };
      // The client may have disconnected.
      notify({ method: 'notifications/progress', params }).catch(() => {});
    },
  };
}

/** An argument as a parameter of the path or the query. Its own `toString` may be anything. */
function textOf(argument: unknown): string {
  return typeof argument === 'string' ? argument : JSON.stringify(argument);
}

async function operate<K extends OperationKey>(
  { app, request, stopping }: Caller,
  key: K,
  given: Arguments,
): Promise<ValueOf<Operations[K], 'reply'>> {
  const [method, url] = key.split(' ') as ['GET', string];
  const { body: isInBody }: EndpointFor['actor'] = V1.endpoints[key];
  const params: readonly string[] = parametersOf(url);
  const path = url.replace(/:(\w+)/g, (_, name) => encodeURIComponent(textOf(given[name] ?? '')));
  const rest = Object.entries(given).filter(([name]) => !params.includes(name));
  const query = rest.map(([name, value]): [string, string] => [name, textOf(value)]);
  if (stopping.aborted) throw new OperationRefused(503, unavailable('service.stopping'));
  const answer = await app.inject({
    remoteAddress: clientAddress(request),
    method,
    url: isInBody ? path : `${path}?${new URLSearchParams(query)}`,
    headers: { authorization: `Bearer ${bearerToken(request)}`, accept: 'application/json' },
    ...(isInBody && { payload: Object.fromEntries(rest) }),
  });
  const body = answer.json();
  if (answer.statusCode >= 400) throw new OperationRefused(answer.statusCode, body);
  // The few responses without an envelope are the data themselves.
  return body.status === 'success' ? body.data : body;
}
