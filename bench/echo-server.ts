import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { SendMessage } from '#contract/messages.ts';

/** The yardstick: a bare Fastify route that validates the body of `POST /v1/messages` and echoes it. */
const app = Fastify({
  ajv: { customOptions: { discriminator: true, allowUnionTypes: true, coerceTypes: false } },
});
app.post('/v1/messages', { schema: { body: SendMessage } }, async (request, reply) =>
  reply.code(201).send(request.body),
);
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` });
