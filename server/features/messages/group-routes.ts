import type { FastifyRequest } from 'fastify';
import { ChatMessage } from '#contract/chat.ts';
import { Success } from '#contract/envelope.ts';
import { SendGroupMessage, WriteGroupMessage } from '#contract/groups.ts';
import { SentMessage } from '#contract/messages.ts';
import type { PersonLimits } from '#features/accounts/index.ts';
import { claimUploads } from '#features/media/service.ts';
import type { App } from '#platform/http/app.ts';
import { createOnce, repeatable } from '#platform/idempotency.ts';
import type { Platform } from '#platform/platform.ts';
import { createGroupSender } from './send-group.ts';
import { readMessage } from './thread.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'live' | 'newId' | 'dueDeliveries' | 'config'> & {
  limits: PersonLimits;
};

const schema = {
  body: SendGroupMessage,
  response: { 201: Success(SentMessage) },
};

/** The two ways to write into a group through the API: for bots, and for bots and consenting people (contract §4). */
export function groupMessageRoutes(app: App, deps: Deps): void {
  const sendToGroup = createGroupSender(deps);

  app.post(
    '/v1/messages/group',
    {
      config: { access: { actors: ['bot'], scope: 'messages:send', confirmsKeys: true } },
      schema: {
        operationId: 'sendGroupMessage',
        summary: 'Send a group message',
        description:
          'Posts to a group that the bot is a member of. In a group with `sendMessages: false` the bot must be an ' +
          'administrator; in a broadcast list it must be the creator. Everybody mentioned must be a member.',
        tags: ['Messages'],
        ...schema,
      },
    },
    async (request, reply) => {
      reply.code(201);
      return request.actAs((actor, recalled) =>
        createOnce(
          deps,
          repeatable(request, { accountId: actor.accountId, clientId: actor.appId }, 'msg'),
          'message sent',
          (msgId, isResumed) => sendToGroup(actor, request.body, { msgId, isResumed, recalled }),
        ),
      );
    },
  );

  app.post(
    '/v1/groups/broadcast',
    {
      config: { access: { actors: ['bot', 'user'], scope: 'groups:manage' } },
      schema: {
        operationId: 'broadcast',
        summary: 'Post to a group or your broadcast list',
        description:
          'Takes the same body and requires the same rights as `POST /v1/messages/group`, but also accepts an access ' +
          'token, so that a user can post to their own broadcast list. `type` defaults to `text`.',
        tags: ['Groups'],
        ...schema,
      },
      preValidation: async (request) => defaultToText(request),
    },
    async (request, reply) => {
      const { actor, body } = request;
      reply.code(201);
      return createOnce(
        deps,
        repeatable(request, { accountId: actor.accountId, clientId: actor.appId }, 'msg'),
        'message sent',
        (msgId, isResumed) => sendToGroup(actor, body, { msgId, isResumed }),
      );
    },
  );
}

/** A person writes into a group in the chat. */
export function groupMessageChatRoutes(app: App, deps: Deps): void {
  const sendToGroup = createGroupSender(deps);

  app.post(
    '/groups/messages',
    { schema: { body: WriteGroupMessage, response: { 201: Success(ChatMessage) } } },
    async (request, reply) => {
      const {
        person: { accountId },
        body,
      } = request;
      await claimUploads(deps, body);
      reply.code(201);
      return createOnce(
        deps,
        repeatable(request, { accountId, clientId: 'chat' }, 'msg'),
        'message sent',
        async (msgId, isResumed) => {
          await sendToGroup({ kind: 'user', accountId }, body, { msgId, isResumed });
          return readMessage(deps, { conversationId: body.groupId, msgId });
        },
      );
    },
  );
}

/** The one body of the API whose `type` may be left out (contract §4); a missing body is the schema's to refuse. */
function defaultToText(request: FastifyRequest): void {
  const body = request.body as { type?: unknown } | null | undefined;
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) body.type ??= 'text';
}
