import type { IncomingMessage } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { LIMITS } from '#contract/limits.ts';
import { say } from '#contract/reasons.ts';
import type { Database } from '../database.ts';
import { ApiError, inMaintenance, invalidArgument } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Platform } from '../platform.ts';
import { clientAddress, trustedProxies } from './client-address.ts';
import { closeConnectionsOnClose, readBeforeClosing } from './connections/close-connections.ts';
import { endWithoutClient } from './connections/disconnects.ts';
import { keepStreams } from './connections/event-stream.ts';
import { limitLoad } from './connections/load-limit.ts';
import { cutSlowBodies, LONGEST_REQUEST_MS } from './connections/slow-bodies.ts';
import { answerClientError, answerError, answerNotFound, requestFields } from './error-handler.ts';
import { findUrlFault } from './parsing/form.ts';
import { hasLines, LINES_TYPE } from './parsing/lines.ts';
import { schemaCompilers } from './parsing/schema-compilers.ts';
import { parseStrictJson } from './parsing/strict-json.ts';
import { securityHeaders } from './security-headers.ts';

/** As in nginx: the client disconnected before it was answered. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Writes one line for each request, whatever the `LOG_LEVEL`; for a stream, when it begins. Logs the route instead of the path,
 * and neither headers nor the query, so that no secret is logged.
 */
function openAccessLog(parent: Log) {
  const log = parent.child({}, { level: 'info' });
  return (request: FastifyRequest, status: number, durationMs: number): void =>
    log.info({ ...requestFields(request), status, durationMs, address: clientAddress(request) }, 'request');
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route also works during maintenance, although its method is that of a write. */
    duringMaintenance?: true;
  }
  interface FastifyRequest {
    /** The `routeOptions` of the request, read once: Fastify builds them each time. */
    route: FastifyRequest['routeOptions'];
  }
}

const CONTINUE = /^100-continue$/i;
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*(utf-8|"utf-8")\s*)?(;\s*)?$/i;

/** How long a client may take to send a request. */
export interface TimeLimits {
  headersMs: number;
  requestMs: number;
  checkEveryMs: number;
}

const TIME_LIMITS: TimeLimits = { headersMs: 15_000, requestMs: 15_000, checkEveryMs: 1_000 };

/** The only thing that Fastify logs itself: a response that breaks off, as when an upload's store fails. */
class StreamFaultLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true, requestIdLogLabel: 'requestId' });
  }

  override streamError(error: NodeJS.ErrnoException, request: FastifyRequest): void {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    request.log.warn({ err: error, ...requestFields(request) }, 'an answer broke off');
  }
}

/** An HTTP application with the rules of every surface: strict bodies, envelopes, request ids, time limits. */
export function createApp(
  {
    config,
    log,
    newId,
    db,
    notices,
    clock,
  }: Pick<Platform, 'config' | 'log' | 'newId' | 'notices' | 'clock'> & {
    db: Pick<Database, 'isAnswering' | 'waitTimeoutMs'>;
  },
  { headersMs, requestMs, checkEveryMs }: TimeLimits = TIME_LIMITS,
) {
  const headersOfEveryAnswer = securityHeaders(config);
  const beginAnswer = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers(headersOfEveryAnswer).header('x-request-id', request.id);

  const logAccess = config.accessLog ? openAccessLog(log) : undefined;

  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new StreamFaultLog(),
    // A logger per request would be too expensive, since few requests log anything; those add the request's fields
    // themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: () => newId('req'),
    bodyLimit: LIMITS.bodyBytesWithoutCredential,
    trustProxy: config.trustProxy.length > 0 ? trustedProxies(config.trustProxy) : false,
    // For routes that may take long; others are cut off earlier.
    requestTimeout: LONGEST_REQUEST_MS,
    forceCloseConnections: 'idle',
    // While the server closes, requests on open connections are still answered normally.
    return503OnClosing: false,
    http: {
      headersTimeout: headersMs,
      connectionsCheckingInterval: checkEveryMs,
      keepAliveTimeout: 72_000,
      // Node would reject a missing Host header without an envelope.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: 200 },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allowUnionTypes: true,
        discriminator: true,
        // Adds the surrounding schema to errors, which has the allowed values.
        verbose: true,
      },
    },
    schemaController: { compilersFactory: schemaCompilers },
    frameworkErrors(error, request, reply) {
      answerError(error, request, beginAnswer(request, reply));
      // Hooks are not called for malformed URLs.
      logAccess?.(request, reply.statusCode, 0);
    },
    clientErrorHandler: (error, socket) =>
      answerClientError(error, socket, { ...headersOfEveryAnswer, 'x-request-id': newId('req') }),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setErrorHandler(answerError);
  app.setNotFoundHandler(answerNotFound);
  // Before other hooks are added, so that requests that these refuse are logged.
  if (logAccess)
    app.addHook('onResponse', (request, reply, done) => {
      const status = reply.raw.destroyed ? CLIENT_CLOSED_REQUEST : reply.statusCode;
      logAccess(request, status, Math.round(reply.elapsedTime));
      done();
    });
  endWithoutClient(app);
  app.decorateRequest<FastifyRequest['route'] | null>('route', null);
  app.addHook('onRequest', (request, reply, done) => {
    request.route = request.routeOptions;
    beginAnswer(request, reply);
    done();
  });
  // Before anything responds, since a client that gets an early response may still be sending.
  cutSlowBodies(app, { requestMs, checkEveryMs });
  limitLoad(app, db);
  app.addHook('onRequest', (request, reply, done) => {
    const fault = findHeaderFault(request.raw);
    // The not-found handler would run only after the body is parsed (decisions: Order of checks).
    if (!fault && request.is404 && request.method !== 'GET') answerNotFound(request, reply);
    else done(fault);
  });
  // Node would send a bare 417; handled like any other request, it gets the envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('preValidation', ({ is404, url }, _reply, done) => done(is404 ? undefined : findUrlFault(url)));
  refuseWritesInMaintenance(app, { notices, clock });
  keepStreams(app);
  closeConnectionsOnClose(app);
  readBeforeClosing(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^/, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      done(null, parseBody(request, body));
    } catch (error) {
      done(error as Error);
    }
  });
  // Routes that take lines read them themselves.
  app.addContentTypeParser(LINES_TYPE, async (request: FastifyRequest, body: unknown) => {
    requireJson(request);
    return body;
  });
  return app;
}

export type App = ReturnType<typeof createApp>;

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses all writes during maintenance, before anything is looked up, counted or read. */
function refuseWritesInMaintenance(
  app: Pick<App, 'addHook'>,
  { notices, clock }: Pick<Platform, 'notices' | 'clock'>,
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { maintenance } = notices;
    const isRefused =
      maintenance && !READS.has(request.method) && !request.is404 && !request.route.config.duringMaintenance;
    done(isRefused ? inMaintenance(maintenance, clock.now()) : undefined);
  });
}

/** Parses a JSON body in UTF-8 without a content encoding. */
export function parseBody(request: Pick<FastifyRequest, 'headers' | 'route'>, body: Buffer): unknown {
  requireJson(request);
  if (body.length === 0) throw invalidArgument('body', 'missing');
  return parseStrictJson(body, { bodyLimit: request.route.bodyLimit });
}

/** @throws ApiError 415 */
function requireJson({ headers, route }: Pick<FastifyRequest, 'headers' | 'route'>): void {
  const areLines = route.config.takesLines && hasLines({ headers });
  if (!areLines && !JSON_TYPE.test(headers['content-type'] ?? '')) {
    const { consumes = ['application/json'] } = route.schema ?? {};
    const type = `${consumes.join(' or ')} in UTF-8`;
    throw new ApiError(415, 'invalid-argument', say('http.content-type', { type }));
  }
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity') {
    throw new ApiError(415, 'invalid-argument', say('http.content-encoding'));
  }
}

/** For surfaces that check the credential before the body is read: only their bodies may be large. */
export function takeLargeBodies(app: Pick<App, 'addHook'>): void {
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= LIMITS.bodyBytes;
  });
}

/**
 * Node silently keeps one of two Host headers; a proxy in front may have kept the other. The only standard `Expect` value is
 * handled by Node itself.
 */
function findHeaderFault({ rawHeaders, httpVersion }: IncomingMessage): ApiError | undefined {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    else if (
      name.length === 6 &&
      name.toLowerCase() === 'expect' &&
      !CONTINUE.test(rawHeaders[i + 1] as string)
    ) {
      return new ApiError(417, 'invalid-argument', say('http.expect'));
    }
  }
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return undefined;
  return new ApiError(400, 'invalid-argument', say('http.host', { count: hosts }));
}
