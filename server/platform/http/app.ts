import type { IncomingMessage } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import { LIMITS } from '#contract/limits.ts';
import { ApiError, invalidArgument } from '../errors.ts';
import type { Platform } from '../platform.ts';
import { answerClientError, answerError, answerNotFound } from './error-door.ts';
import { parseStrictJson } from './strict-json.ts';

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?(;\s*)?$/i;
const REQUEST_TIMEOUT_MS = 15_000;

/** An HTTP application with the rules that hold for every door: strict bodies, envelopes, request ids, time limits. */
export function createApp({ config, log, newId }: Pick<Platform, 'config' | 'log' | 'newId'>) {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    disableRequestLogging: true,
    genReqId: () => newId('req'),
    bodyLimit: LIMITS.bodyBytes,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    http: {
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 72_000,
    },
    routerOptions: { maxParamLength: 200 },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allowUnionTypes: true,
        discriminator: true,
      },
    },
    frameworkErrors: answerError,
    clientErrorHandler: answerClientError,
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setErrorHandler(answerError);
  app.setNotFoundHandler(answerNotFound);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    refuseAmbiguousHeaders(request.raw);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^/, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      done(null, parseBody(request.headers, body));
    } catch (error) {
      done(error as Error);
    }
  });
  return app;
}

export type App = ReturnType<typeof createApp>;

function parseBody(headers: IncomingMessage['headers'], body: Buffer): unknown {
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw new ApiError(415, 'invalid-argument', 'Content-Type must be application/json in UTF-8');
  }
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity') {
    throw new ApiError(415, 'invalid-argument', 'Content-Encoding is not supported: send the body as it is');
  }
  if (body.length === 0) throw invalidArgument('body', 'is missing');
  return parseStrictJson(body);
}

/** Node keeps one of two Host headers in silence; a proxy in front may have kept the other. */
function refuseAmbiguousHeaders({ rawHeaders }: IncomingMessage): void {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) throw new ApiError(400, 'invalid-argument', 'there is more than one Host header');
}
