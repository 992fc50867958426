import { Success } from '#contract/envelope.ts';
import { SendMessage, SentMessage } from '#contract/messages.ts';
import type { App } from '#platform/http/app.ts';
import { createOnce, repeatable } from '#platform/idempotency.ts';
import type { Platform } from '#platform/platform.ts';
import { createPrivateSender } from './send-private.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'live' | 'newId'>;

export function messageRoutes(app: App, deps: Deps): void {
  const sendPrivate = createPrivateSender(deps);

  app.post(
    '/v1/messages',
    {
      config: { access: { actors: ['bot'], scope: 'messages:send', confirmsKeys: true } },
      schema: {
        operationId: 'sendMessage',
        summary: 'Send a private message',
        description:
          'Sends text, media or a location to a user who has written to the bot. A bot cannot start a conversation, and ' +
          'cannot write to other bots.',
        tags: ['Messages'],
        body: SendMessage,
        response: { 201: Success(SentMessage) },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return request.actAs((actor, recalled) =>
        createOnce(
          deps,
          repeatable(request, { accountId: actor.accountId, clientId: actor.appId }, 'msg'),
          'message sent',
          (msgId, isResumed) => sendPrivate(actor, request.body, { msgId, isResumed, recalled }),
        ),
      );
    },
  );
}
