import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Preloaded into the test suite: records into the directory `EXCHANGES` the exchanges with the routes of the OpenAPI
 * document, one JSON text per line. Nothing is removed: requests that tests make to fail on purpose count, too.
 */
const file = `${process.env['EXCHANGES']}/${process.pid}.ndjson`;
const answers = new WeakMap<FastifyRequest, string>();

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onSend', async (request, _reply, payload) => {
    // The document does not describe the contents of event streams.
    if (/^\/(v1|oauth|\.well-known)\//.test(request.url) && typeof payload === 'string') {
      answers.set(request, payload);
    }
    return payload;
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const answer = answers.get(request);
    // The stand-in for a surface in some tests (testing/acting-app.ts) requires no credential.
    if (answer === undefined || request.headers['x-actor'] !== undefined) return;
    const { method, url: path, headers } = request;
    // Uploads are read as they arrive: nothing of them is left to send again.
    if (headers['content-type']?.startsWith('multipart/')) return;
    const { statusCode: status } = reply;
    const exchange = {
      method,
      path,
      headers,
      body: bodyOf(request),
      status,
      answerHeaders: reply.getHeaders(),
      answer,
    };
    appendFileSync(file, `${JSON.stringify(exchange)}\n`);
  });
});

/** The parsed body; the server has refused bodies that cannot be parsed. */
function bodyOf({ body, headers }: FastifyRequest): string {
  if (body === undefined || body === null) return '';
  return headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    ? new URLSearchParams(body as Record<string, string>).toString()
    : JSON.stringify(body);
}
