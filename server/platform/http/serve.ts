import type { Readable } from 'node:stream';
import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchema, HTTPMethods } from 'fastify';
import { type TProperties, type TSchema, Type } from 'typebox';
import {
  type Audience,
  type Endpoint,
  type EndpointFor,
  type EndpointTable,
  PATH_PARAMETERS,
  type PathParameters,
  parametersOf,
  type ValueOf,
} from '#contract/endpoints.ts';
import { Success } from '#contract/envelope.ts';
import type { Platform } from '../platform.ts';
import type { App } from './app.ts';
import { success } from './envelope.ts';
import { type GoingOn, openWithLines } from './going-on.ts';
import { creatingOnce, type Repeatable, repeatable } from './idempotency.ts';
import { type FormFile, openFormFile } from './parsing/form-file.ts';
import { LINES_TYPE } from './parsing/lines.ts';

/** The values about the caller that a surface gives to handlers, by audience; features add their own. */
// biome-ignore lint/suspicious/noEmptyInterface: merged by the features that know the callers
export interface Callers {}

type CallerOf<A> = A extends keyof Callers ? Callers[A] : object;

/** The ID of the object to create; `isResumed` if an earlier attempt may already have created it. */
export interface Reserved {
  id: string;
  isResumed: boolean;
}

type Asked<Key, E> = E extends { takesFile: true }
  ? { query: ValueOf<E, 'query'>; content: Readable; contentLength: number | undefined }
  : E extends { form: object }
    ? { query: ValueOf<E, 'query'>; file: FormFile; contentLength: number | undefined }
    : { params: PathParameters<Key>; query: ValueOf<E, 'query'>; body: ValueOf<E, 'body'> } & (E extends {
        isRaw: true;
      }
        ? { request: FastifyRequest; reply: FastifyReply }
        : unknown) &
        (E extends { creates: string } ? { reserved: Reserved } : unknown);

type Answer<E> = E extends { isRaw: true } ? unknown : Data<ValueOf<E, 'reply'>>;
/** Anything for a reply that only says that it is done, as in `{ removed: true }`: the entry says it. */
type Data<Reply> = [Reply] extends [Record<string, true>] ? unknown : Reply | Promise<Reply>;

/** Answers an endpoint: gets the caller and the validated input, and returns `data`, unless the entry says all of it. */
export type Handler<A, Key, E> = (given: CallerOf<A> & Asked<Key, E>) => Answer<E>;

type AnyHandler = (given: never) => unknown;

/** Endpoints of a table with what answers them. */
export interface Served<T extends EndpointTable = EndpointTable, K = unknown> {
  table: T;
  handlers: Record<string, AnyHandler>;
  /** Only a type: the endpoints that are answered. */
  keys?: K;
}

/** Answers endpoints of a table; the compiler compares every handler with its entry. */
export function serve<A extends Audience, T, K extends keyof T & string>(
  table: EndpointTable<A, T>,
  handlers: { [P in K]: Handler<A, P, T[P]> },
): Served<EndpointTable<A, T>, K> {
  return { table, handlers };
}

/** Hooks of a surface around each handler. */
export interface Surface<A extends Audience> {
  /** Fastify's options of an endpoint besides its schemas. */
  describe(endpoint: EndpointFor[A]): { config?: FastifyContextConfig; schema?: FastifySchema };
  /** Calls the handler with what the surface knows of the caller. */
  run<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    handle: (given: CallerOf<A>) => Promise<T>,
  ): Promise<T>;
  /** Lets a request take further bodies; omitted by a surface without lines. @throws ApiError 429 */
  goOn?(request: FastifyRequest): GoingOn;
  /** The owner of an `Idempotency-Key`; omitted if no endpoint creates anything. */
  clientOf?(given: CallerOf<A>): Pick<Repeatable, 'accountId' | 'clientId'>;
}

/** The endpoints of tables that nobody answers. */
type Unanswered<T extends EndpointTable, S extends Served> =
  T extends EndpointTable<infer A, infer E>
    ? Exclude<keyof E, S extends Served<EndpointTable<A, E>, infer K> ? K : never>
    : never;

/** Endpoints with their handlers; one of the tables that nobody answers is a compile error. */
export function answering<T extends EndpointTable, S extends Served>(
  _tables: readonly T[],
  served: readonly S[] & ([Unanswered<T, S>] extends [never] ? unknown : { unanswered: Unanswered<T, S> }),
): readonly Served[] {
  return served;
}

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'newId' | 'shards'>;

/** Opens the endpoints of a table, with their handlers among those of all tables. */
export function mount<A extends Audience, T>(
  app: App,
  deps: Deps,
  surface: Surface<A>,
  table: EndpointTable<A, T>,
  routes: readonly Served[],
): void {
  open(
    app,
    deps,
    surface,
    routes.filter((one): one is Served<EndpointTable<A, T>> => one.table === table),
  );
}

export function open<A extends Audience>(
  app: App,
  deps: Deps,
  surface: Surface<A>,
  served: readonly Served<EndpointTable<A>>[],
): void {
  const createOnce = creatingOnce(deps);
  for (const { table, handlers } of served) {
    const entries = table.endpoints as Record<string, EndpointFor[A]>;
    for (const [key, handler] of Object.entries(handlers))
      openOne(app, { ...deps, createOnce }, surface, {
        key,
        endpoint: entries[key] as EndpointFor[A],
        handler,
      });
  }
}

interface Opened<A extends Audience> {
  key: string;
  endpoint: EndpointFor[A];
  handler: AnyHandler;
}

function openOne<A extends Audience>(
  app: App,
  { clock, createOnce }: Pick<Deps, 'clock'> & { createOnce: ReturnType<typeof creatingOnce> },
  surface: Surface<A>,
  { key, endpoint, handler }: Opened<A>,
): void {
  const [method, url] = key.split(' ') as [HTTPMethods, string];
  const { creates, message, bodyDefaults, form, linesEveryMs }: Endpoint = endpoint;
  const { goOn } = surface;
  const everyMs = goOn && linesEveryMs;
  const takesFile = endpoint.takesFile || form !== undefined;
  const done = doneReply(endpoint.reply);
  const { config, schema } = surface.describe(endpoint);
  const status = creates || takesFile ? 201 : (endpoint.status ?? 200);
  const route = {
    method,
    url,
    config: { ...config, ...((takesFile || everyMs) && { takesLong: true as const }) },
    schema: {
      ...schema,
      ...paramsOf(url),
      ...schemasOf(endpoint, status),
      ...(everyMs && { consumes: ['application/json', LINES_TYPE] }),
    },
    ...(bodyDefaults && {
      preValidation: async ({ body }: FastifyRequest) => fillIn(body, bodyDefaults),
    }),
  };
  /** Lets the handler answer, in the envelope. */
  const answer = (request: FastifyRequest, reply: FastifyReply, asked: object) =>
    surface.run(request, reply, async (given) => {
      reply.code(status);
      if (creates) {
        if (!surface.clientOf) throw new Error(`${key} creates something for nobody`);
        return createOnce(
          repeatable(request, surface.clientOf(given), creates),
          message as string,
          async (id, isResumed) =>
            handler({ ...given, ...asked, reserved: { id, isResumed } } as never) as object,
        );
      }
      const answered = await handler({ ...given, ...asked } as never);
      const data = done ?? (answered as object);
      return success(
        clock.now(),
        typeof message === 'function' ? message(data as never) : (message as string),
        data,
      );
    });

  if (takesFile) {
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(/^/, (_request, body, done) => done(null, body));
      scope.route({
        ...route,
        handler: (request, reply) => {
          const { query, body, headers } = request;
          const length = headers['content-length'];
          const contentLength = length === undefined ? undefined : Number(length);
          const file = form
            ? { file: openFormFile(headers['content-type'], body as Readable) }
            : { content: body };
          return answer(request, reply, { query, contentLength, ...file });
        },
      });
    });
  } else if (goOn && everyMs) {
    openWithLines(app, route, {
      everyMs,
      goOn,
      answer: (request, reply, body) => answer(request, reply, { ...inputOf(request), body }),
    });
  } else {
    app.route({
      ...route,
      handler: (request, reply) =>
        endpoint.isRaw
          ? surface.run(request, reply, async (given) =>
              handler({ ...given, ...inputOf(request), request, reply } as never),
            )
          : answer(request, reply, inputOf(request)),
    });
  }
}

function inputOf({ params, query, body }: FastifyRequest) {
  return { params, query, body };
}

/** @throws Error if a parameter of the path has no schema */
function paramsOf(url: string): Pick<FastifySchema, 'params'> {
  const names = parametersOf(url);
  for (const name of names) if (!PATH_PARAMETERS[name]) throw new Error(`${url} has an unknown parameter`);
  if (names.length === 0) return {};
  return { params: Type.Object(Object.fromEntries(names.map((name) => [name, PATH_PARAMETERS[name]]))) };
}

function schemasOf({ query, body, reply, isRaw }: Endpoint, status: number): FastifySchema {
  return {
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(reply && { response: { [status]: isRaw ? reply : Success(reply) } }),
  };
}

/** The only value of a reply that has one: every field is true. */
function doneReply(reply: TSchema | undefined): Record<string, true> | undefined {
  const { properties, required = [] } = (reply ?? {}) as { properties?: TProperties; required?: string[] };
  const fields = properties && Object.entries<{ const?: unknown }>(properties);
  if (!fields?.every(([name, field]) => field.const === true && required.includes(name))) return undefined;
  return Object.fromEntries(fields.map(([name]) => [name, true]));
}

/** Fills in what the body may leave out; a body of another form is the schema's to refuse. */
function fillIn(body: unknown, defaults: Readonly<Record<string, string>>): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const sent = body as Record<string, unknown>;
  for (const [field, value] of Object.entries(defaults)) sent[field] ??= value;
}
