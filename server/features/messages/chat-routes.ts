import { Type } from 'typebox';
import { Bot } from '#contract/bots.ts';
import { ChatMessage, Conversation, WriteMessage } from '#contract/chat.ts';
import { Success } from '#contract/envelope.ts';
import { MsgId, UserId } from '#contract/ids.ts';
import { hasSession, sessionIdOf } from '#features/accounts/session.ts';
import { findBotByUsername } from '#features/bots/service.ts';
import { changeBlock } from '#features/contacts/service.ts';
import { notFound } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import { openEventStream } from '#platform/http/event-stream.ts';
import { createOnce, repeatable } from '#platform/idempotency.ts';
import type { LiveEvent } from '#platform/live.ts';
import type { Platform } from '#platform/platform.ts';
import { listConversations, readConversation } from './conversations.ts';
import { followConversations } from './live-conversations.ts';
import { writeMessage } from './write.ts';

const PAGE_SIZE = 50;

/** Completes messages by what features below this one know of them, as the given person sees it. */
export type MessageCompletion = (accountId: string, messages: ChatMessage[]) => Promise<ChatMessage[]>;

/** What a person's client does: find a bot, write, read, block, listen. */
export function chatRoutes(app: App, deps: Platform, complete: MessageCompletion): void {
  const { db, clock } = deps;

  app.get(
    '/bots',
    {
      schema: {
        querystring: Type.Object({ username: Type.String() }),
        response: { 200: Success(Bot) },
      },
    },
    async ({ query }) => {
      const bot = await findBotByUsername(db, query.username);
      if (!bot) throw notFound('username names no bot');
      return success(clock.now(), 'bot found', bot);
    },
  );

  app.post(
    '/messages',
    { schema: { body: WriteMessage, response: { 201: Success(ChatMessage) } } },
    async (request, reply) => {
      const { person, body } = request;
      const written = await createOnce(
        deps,
        repeatable(request, { accountId: person.accountId, clientId: 'chat' }, 'msg'),
        (msgId) => writeMessage(deps, person.accountId, body, msgId),
      );
      reply.code(201);
      return success(clock.now(), 'message sent', written);
    },
  );

  app.get(
    '/conversations',
    { schema: { response: { 200: Success(Type.Array(Conversation)) } } },
    async ({ person: { accountId } }) => {
      const conversations = await listConversations(deps, accountId);
      const latest = conversations.flatMap(({ lastMessage }) => lastMessage ?? []);
      const completed = new Map(
        (await complete(accountId, latest)).map((message) => [message.msgId, message]),
      );
      const shown = conversations.map((conversation) => {
        const lastMessage = completed.get(conversation.lastMessage?.msgId ?? '');
        return { ...conversation, ...(lastMessage && { lastMessage }) };
      });
      return success(clock.now(), 'your conversations', shown);
    },
  );

  app.get(
    '/conversations/:conversationId/messages',
    {
      schema: {
        params: Type.Object({ conversationId: Type.String() }),
        querystring: Type.Object({ before: Type.Optional(MsgId) }),
        response: {
          200: Success(Type.Object({ messages: Type.Array(ChatMessage), nextBefore: Type.Optional(MsgId) })),
        },
      },
    },
    async ({ person: { accountId }, params: { conversationId }, query: { before } }) => {
      const { messages, ...page } = await readConversation(deps, accountId, {
        conversationId,
        before,
        limit: PAGE_SIZE,
      });
      return success(clock.now(), 'messages, newest first', {
        messages: await complete(accountId, messages),
        ...page,
      });
    },
  );

  for (const [method, isBlocked] of [
    ['POST', true],
    ['DELETE', false],
  ] as const) {
    app.route({
      method,
      url: '/blocks',
      schema: {
        body: Type.Object({ userId: UserId }),
        response: { 200: Success(Type.Object({ isBlocked: Type.Boolean() })) },
      },
      handler: async ({ person, body }) => {
        await changeBlock(deps, person.accountId, { userId: body.userId, isBlocked });
        return success(clock.now(), isBlocked ? 'blocked' : 'unblocked', { isBlocked });
      },
    });
  }

  app.get('/live', async ({ person }, reply) => {
    const sessionId = sessionIdOf(person);
    const early: LiveEvent[] = [];
    let show = (event: LiveEvent) => void early.push(event);
    const unfollow = await followConversations(deps, person.accountId, (event) => show(event));
    // Whoever hung up meanwhile would never be noticed as gone.
    if (reply.raw.destroyed) return unfollow();
    const stream = openEventStream(reply, {
      onClose: unfollow,
      isAllowed: () => hasSession(deps, person),
    });
    show = (event) => {
      stream.send(event);
      if (event.type === 'session.ended' && (event.data as { sessionId: string }).sessionId === sessionId)
        stream.close();
    };
    early.forEach(show);
    // It may have ended between its check and the listening.
    if (!(await hasSession(deps, person))) stream.close();
  });
}
