import type { Readable } from 'node:stream';
import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchema, HTTPMethods } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Success } from '#contract/envelope.ts';
import type { IdKind } from '../ids.ts';
import type { Platform } from '../platform.ts';
import type { App } from './app.ts';
import { success } from './envelope.ts';
import { createOnce, type Repeatable, repeatable } from './idempotency.ts';

type Optional = TSchema | undefined;
type Value<S extends Optional> = S extends TSchema ? Static<S> : undefined;

/** The input of a route. */
export interface Input<P extends Optional, Q extends Optional, B extends Optional> {
  params?: P;
  query?: Q;
  body?: B;
}

/** The declaration of a route without its handler. */
export interface Declaration<
  P extends Optional,
  Q extends Optional,
  B extends Optional,
  R extends TSchema,
  K extends IdKind | undefined,
> extends Input<P, Q, B> {
  /** Schema of what the handler returns, which becomes `data` of the envelope. */
  reply: R;
  /** The `message` of the success envelope; for creations it is known beforehand. */
  message: K extends IdKind ? string : string | ((data: Static<R>) => string);
  /** The handler creates an object of this kind, once per `Idempotency-Key`; the status is 201. */
  creates?: K;
  status?: 201;
  /** Called with the body before validation. */
  prepare?: (body: unknown) => void;
}

/** The ID of the object to create; `isResumed` if an earlier attempt may already have created it. */
export interface Reserved {
  id: string;
  isResumed: boolean;
}

type Asked<P extends Optional, Q extends Optional, B extends Optional> = {
  params: Value<P>;
  query: Value<Q>;
  body: Value<B>;
};
type Creating<K> = K extends IdKind ? { reserved: Reserved } : unknown;

type Declare<Given, Options> = <
  R extends TSchema,
  P extends Optional = undefined,
  Q extends Optional = undefined,
  B extends Optional = undefined,
  K extends IdKind | undefined = undefined,
>(
  path: string,
  declaration: Declaration<P, Q, B, R, K> & Options,
  handler: (given: Given & Asked<P, Q, B> & Creating<K>) => Promise<Static<R>> | Static<R>,
) => void;

/**
 * The routes of one audience. A handler gets the surface's data on the caller and the declared input, and returns data;
 * authentication, quota, validation, status and envelope are up to the surface.
 */
export interface Routes<Given, Options = object> {
  get: Declare<Given, Options>;
  post: Declare<Given, Options>;
  put: Declare<Given, Options>;
  patch: Declare<Given, Options>;
  delete: Declare<Given, Options>;
  /**
   * Responses without an envelope: server-sent events, files, text that must be sent byte for byte. The handler sends them.
   */
  raw: <P extends Optional = undefined, Q extends Optional = undefined>(
    path: string,
    declaration: Omit<Input<P, Q, undefined>, 'body'> & { reply?: TSchema } & Options,
    handler: (
      given: Given & Asked<P, Q, undefined> & { request: FastifyRequest; reply: FastifyReply },
    ) => unknown,
  ) => void;
  /** Passes the body on as a stream, whatever its type and however long it takes. */
  upload: <R extends TSchema, Q extends Optional = undefined>(
    path: string,
    declaration: { query?: Q; reply: R; message: string } & Options,
    handler: (
      given: Given & { query: Value<Q>; content: Readable; contentLength: number | undefined },
    ) => Promise<Static<R>>,
  ) => void;
}

/** Hooks of a surface around each handler. */
export interface Surface<Given, Options> {
  /** Fastify options of a route besides its schemas. */
  describe(options: Options): { config?: FastifyContextConfig; schema?: FastifySchema };
  /** Calls the handler with the surface's data on the caller. */
  run<T>(request: FastifyRequest, reply: FastifyReply, handle: (given: Given) => Promise<T>): Promise<T>;
  /** The owner of an `Idempotency-Key`; omitted if no route creates anything. */
  clientOf?(given: Given): Pick<Repeatable, 'accountId' | 'clientId'>;
}

/** A handler of any route; the validator ensures that its input matches the schemas. */
type Handler = (given: never) => unknown;

/** The builder of a surface. */
export function createRoutes<G, Options>(
  app: App,
  deps: Pick<Platform, 'db' | 'clock' | 'keyring' | 'newId' | 'upgradeEndsAt'>,
  surface: Surface<G, Options>,
): Routes<G, Options> {
  const { clock } = deps;
  const schemaOf = (
    { params, query, body }: Input<Optional, Optional, Optional>,
    response?: Record<number, TSchema>,
  ) => ({
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(response && { response }),
  });

  const declare =
    (method: HTTPMethods) =>
    (
      path: string,
      declaration: Declaration<Optional, Optional, Optional, TSchema, IdKind | undefined> & Options,
      handler: Handler,
    ) => {
      const { creates, message, prepare } = declaration;
      const status = creates ? 201 : (declaration.status ?? 200);
      const { config, schema } = surface.describe(declaration);
      if (creates && !surface.clientOf) throw new Error(`${path} creates something for nobody`);
      app.route({
        method,
        url: path,
        ...(config && { config }),
        schema: { ...schema, ...schemaOf(declaration, { [status]: Success(declaration.reply) }) },
        ...(prepare && { preValidation: async ({ body }: FastifyRequest) => prepare(body) }),
        async handler(request, reply) {
          const { params, query, body } = request;
          reply.code(status);
          return surface.run(request, reply, async (given) => {
            const all = { ...given, params, query, body };
            if (creates && surface.clientOf) {
              return createOnce(
                deps,
                repeatable(request, surface.clientOf(given), creates),
                message as string,
                async (id, isResumed) => handler({ ...all, reserved: { id, isResumed } } as never),
              );
            }
            const data = await handler(all as never);
            return success(clock.now(), typeof message === 'string' ? message : message(data), data);
          });
        },
      });
    };

  return {
    get: declare('GET'),
    post: declare('POST'),
    put: declare('PUT'),
    patch: declare('PATCH'),
    delete: declare('DELETE'),
    raw(path, declaration, handler) {
      const { config, schema } = surface.describe(declaration);
      const { reply: answer } = declaration;
      app.route({
        method: 'GET',
        url: path,
        ...(config && { config }),
        schema: { ...schema, ...schemaOf(declaration, answer && { 200: answer }) },
        async handler(request, reply) {
          const { params, query } = request;
          return surface.run(request, reply, async (given) =>
            handler({ ...given, params, query, body: undefined, request, reply } as never),
          );
        },
      });
    },
    upload(path, declaration, handler) {
      const { config, schema } = surface.describe(declaration);
      app.register(async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser(/^/, (_request, body, done) => done(null, body));
        scope.route({
          method: 'POST',
          url: path,
          config: { ...config, takesLong: true },
          schema: { ...schema, ...schemaOf(declaration, { 201: Success(declaration.reply) }) },
          async handler(request, reply) {
            const { query, body, headers } = request;
            const length = headers['content-length'];
            const contentLength = length === undefined ? undefined : Number(length);
            const data = await surface.run(request, reply, async (given) =>
              handler({ ...given, query, content: body, contentLength } as never),
            );
            reply.code(201);
            return success(clock.now(), declaration.message, data);
          },
        });
      });
    },
  };
}
