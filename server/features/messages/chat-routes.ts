import { type Static, type TSchema, Type } from 'typebox';
import {
  ChangeConversation,
  ChatMessage,
  Conversation,
  ConversationCommands,
  ConversationPage,
  MarkRead,
  MessagePage,
  Peer,
  Profile,
  ReadMessages,
  ReadState,
  RemoteMedia,
  WriteMessage,
} from '#contract/chat.ts';
import { Success } from '#contract/envelope.ts';
import { id, UserId } from '#contract/ids.ts';
import { InviteParams } from '#contract/profiles.ts';
import type { PersonLimits } from '#features/accounts/index.ts';
import { claimUploads } from '#features/media/service.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import { createOnce, repeatable } from '#platform/idempotency.ts';
import type { Platform } from '#platform/platform.ts';
import { hideConversation, markRead, muteConversation } from './conversation-settings.ts';
import { listConversations, showConversation } from './conversations.ts';
import {
  findBotProfile,
  findInvitingProfile,
  findParticipants,
  listCommands,
  showProfile,
} from './profiles.ts';
import { showRemoteMedia } from './remote-media.ts';
import { type MessageCompletion, readThread } from './thread.ts';
import { writeMessage } from './write.ts';

const ofConversation = { params: Type.Object({ conversationId: id() }) };

function answering<T extends TSchema>(data: T) {
  return { response: { 200: Success(data) } };
}

/** What a person's client does with the list of conversations and with one of them. */
export function conversationRoutes(app: App, deps: Platform, complete: MessageCompletion): void {
  const { db, clock } = deps;
  const withPolls = async <T extends Pick<Static<typeof Conversation>, 'lastMessage'>>(
    accountId: string,
    conversations: T[],
  ): Promise<T[]> => {
    const latest = await complete(
      accountId,
      conversations.flatMap(({ lastMessage }) => lastMessage ?? []),
    );
    const completed = new Map(latest.map((message) => [message.msgId, message]));
    return conversations.map((conversation) => {
      const lastMessage = completed.get(conversation.lastMessage?.msgId ?? '');
      return { ...conversation, ...(lastMessage && { lastMessage }) };
    });
  };

  app.get(
    '/conversations',
    {
      schema: {
        querystring: Type.Object({ cursor: Type.Optional(Type.String({ pattern: '^[0-9a-z]{24}$' })) }),
        ...answering(ConversationPage),
      },
    },
    async ({ person: { accountId }, query }) => {
      const page = await listConversations(deps, accountId, query.cursor);
      const conversations = await withPolls(accountId, page.conversations);
      return success(clock.now(), 'your conversations', { ...page, conversations });
    },
  );

  app.get(
    '/conversations/:conversationId',
    { schema: { ...ofConversation, ...answering(Conversation) } },
    async ({ person: { accountId }, params }) => {
      const shown = await showConversation(deps, accountId, params.conversationId);
      const [conversation = shown] = await withPolls(accountId, [shown]);
      return success(clock.now(), 'conversation', conversation);
    },
  );

  app.patch(
    '/conversations/:conversationId',
    { schema: { ...ofConversation, body: ChangeConversation, ...answering(Conversation) } },
    async ({ person: { accountId }, params, body: { isMuted } }) => {
      const changed = await muteConversation(deps, { accountId, ...params }, isMuted);
      return success(clock.now(), isMuted ? 'muted' : 'no longer muted', changed);
    },
  );

  app.delete(
    '/conversations/:conversationId',
    { schema: { ...ofConversation, ...answering(ofConversation.params) } },
    async ({ person: { accountId }, params }) => {
      await hideConversation(deps, { accountId, ...params });
      return success(clock.now(), 'hidden until its next message', params);
    },
  );

  app.post(
    '/conversations/:conversationId/read',
    { schema: { ...ofConversation, body: MarkRead, ...answering(ReadState) } },
    async ({ person: { accountId }, params, body }) =>
      success(clock.now(), 'marked as read', await markRead(deps, { accountId, ...params }, body.msgId)),
  );

  app.get(
    '/conversations/:conversationId/messages',
    { schema: { ...ofConversation, querystring: ReadMessages, ...answering(MessagePage) } },
    async ({ person: { accountId }, params, query }) => {
      const page = await readThread(deps, accountId, { ...params, ...query }, complete);
      return success(clock.now(), 'messages, newest first', page);
    },
  );

  app.get(
    '/conversations/:conversationId/people',
    {
      schema: {
        ...ofConversation,
        querystring: Type.Object({
          userIds: Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}(,[A-Za-z0-9_-]{1,128}){0,99}$' }),
        }),
        ...answering(Type.Array(Peer)),
      },
    },
    async ({ person: { accountId }, params, query }) => {
      const asked = { ...params, userIds: [...new Set(query.userIds.split(','))] };
      return success(clock.now(), 'people', await findParticipants(db, accountId, asked));
    },
  );

  app.get(
    '/conversations/:conversationId/commands',
    { schema: { ...ofConversation, ...answering(ConversationCommands) } },
    async ({ person: { accountId }, params }) =>
      success(clock.now(), 'commands', await listCommands(db, accountId, params.conversationId)),
  );
}

/** What a person's client does: find somebody, and write. */
export function chatRoutes(app: App, deps: Platform & { limits: PersonLimits }): void {
  const { db, clock, config } = deps;

  app.get(
    '/bots',
    {
      schema: {
        querystring: Type.Object({ username: Type.String({ maxLength: 64 }) }),
        ...answering(Profile),
      },
    },
    async ({ person: { accountId }, query }) =>
      success(clock.now(), 'bot found', await findBotProfile(db, accountId, query.username)),
  );

  app.get('/management-bot', { schema: answering(Profile) }, async ({ person: { accountId } }) =>
    success(clock.now(), 'management bot', await findBotProfile(db, accountId, config.managementBotUsername)),
  );

  app.get(
    '/invites/:token',
    { schema: { params: InviteParams, ...answering(Profile) } },
    async ({ person: { accountId }, params }) =>
      success(clock.now(), 'profile', await findInvitingProfile(deps, accountId, params.token)),
  );

  app.get(
    '/profiles/:userId',
    { schema: { params: Type.Object({ userId: UserId }), ...answering(Profile) } },
    async ({ person: { accountId }, params }) =>
      success(clock.now(), 'profile', await showProfile(db, accountId, params.userId)),
  );

  app.post(
    '/messages',
    { schema: { body: WriteMessage, response: { 201: Success(ChatMessage) } } },
    async (request, reply) => {
      const { person, body } = request;
      await claimUploads(deps, body);
      reply.code(201);
      return createOnce(
        deps,
        repeatable(request, { accountId: person.accountId, clientId: 'chat' }, 'msg'),
        'message sent',
        (msgId) => writeMessage(deps, person.accountId, body, msgId, person.authenticatedAt),
      );
    },
  );

  app.get('/remote-media', { schema: answering(RemoteMedia) }, async ({ person: { accountId } }) =>
    success(clock.now(), 'whose media load by themselves', await showRemoteMedia(db, accountId)),
  );
}
