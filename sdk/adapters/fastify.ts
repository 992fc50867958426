import { LARGEST_BODY_BYTES, type Receiver } from '../receiver.ts';

interface FastifyRequestLike {
  body: unknown;
  headers: { [name: string]: string | string[] | undefined };
}

interface FastifyReplyLike {
  code(status: number): { send(text?: string): unknown };
}

/** The part of a Fastify application that the adapter uses. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: never, body: never, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  route(route: { method: unknown; url: string; handler: (request: never, reply: never) => unknown }): unknown;
}

/** Fastify encapsulates a plugin's parser in the plugin. */
export function fastifyPlugin(receiver: Receiver, path: string): (app: FastifyLike) => Promise<void> {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: LARGEST_BODY_BYTES },
      (_request, body, done) => done(null, body),
    );
    app.route({
      method: 'POST',
      url: path,
      handler: async ({ body, headers }: FastifyRequestLike, reply: FastifyReplyLike) => {
        const { status, text } = await receiver.answer({ method: 'POST', body }, (name) => headers[name]);
        return reply.code(status).send(text);
      },
    });
  };
}
