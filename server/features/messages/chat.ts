import { type Static, Type } from 'typebox';
import { InviteParams } from '#contract/accounts/profiles.ts';
import { ChangeConversation } from '#contract/chat/conversation-settings.ts';
import { MarkRead, ReadState } from '#contract/chat/receipts.ts';
import {
  ChatMessage,
  Conversation,
  ConversationCommands,
  ConversationPage,
  ForwardMessage,
  MessagePage,
  Peer,
  PinnedMessages,
  Profile,
  ReadMessages,
  RemoteMedia,
  WriteMessage,
} from '#contract/chat.ts';
import { WriteGroupMessage } from '#contract/groups.ts';
import { id, UserId } from '#contract/ids.ts';
import type { ChatRoutes } from '#features/accounts/index.ts';
import type { Media } from '#features/media/index.ts';
import { openEventStream } from '#platform/http/connections/event-stream.ts';
import type { OwnConversation } from './access/own-conversation.ts';
import type { Messages } from './index.ts';
import type { MessageCompletion } from './view.ts';

const params = Type.Object({ conversationId: id() });
const written = { reply: ChatMessage, message: 'message sent', creates: 'msg' as const };
const profile = { reply: Profile, message: 'profile' };

function ownOf(
  { accountId }: { accountId: string },
  { conversationId }: Static<typeof params>,
): OwnConversation {
  return { accountId, conversationId };
}

/** The list of a person's conversations, and each of them. */
export function conversationChatRoutes(
  chat: ChatRoutes,
  messages: Messages,
  complete: MessageCompletion,
): void {
  const cursor = Type.Optional(Type.String({ pattern: '^[0-9a-z]{24}$' }));
  chat.get(
    '/conversations',
    { query: Type.Object({ cursor }), reply: ConversationPage, message: 'your conversations' },
    ({ person, query }) => messages.listConversations(person.accountId, query.cursor, complete),
  );

  chat.get(
    '/conversations/:conversationId',
    { params, reply: Conversation, message: 'conversation' },
    ({ person, params }) => messages.showConversation(ownOf(person, params), complete),
  );

  chat.patch(
    '/conversations/:conversationId',
    {
      params,
      body: ChangeConversation,
      reply: Conversation,
      message: 'conversation changed',
    },
    ({ person, params, body }) => messages.changeConversation(ownOf(person, params), body),
  );

  chat.delete(
    '/conversations/:conversationId',
    { params, reply: params, message: 'hidden until its next message' },
    async ({ person, params }) => {
      await messages.hideConversation(ownOf(person, params));
      return params;
    },
  );

  chat.post(
    '/conversations/:conversationId/read',
    { params, body: MarkRead, reply: ReadState, message: 'marked as read' },
    ({ person, params, body }) => messages.markRead(ownOf(person, params), body.msgId),
  );

  chat.get(
    '/conversations/:conversationId/messages',
    { params, query: ReadMessages, reply: MessagePage, message: 'messages, newest first' },
    ({ person, params, query }) => messages.readThread(person.accountId, { ...params, ...query }, complete),
  );

  chat.get(
    '/conversations/:conversationId/pins',
    { params, reply: PinnedMessages, message: 'pinned messages' },
    ({ person, params }) => messages.listPinned(ownOf(person, params), complete),
  );

  const userIds = Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}(,[A-Za-z0-9_-]{1,128}){0,99}$' });
  chat.get(
    '/conversations/:conversationId/people',
    { params, query: Type.Object({ userIds }), reply: Type.Array(Peer), message: 'people' },
    ({ person, params, query }) =>
      messages.findParticipants(ownOf(person, params), [...new Set(query.userIds.split(','))]),
  );

  chat.get(
    '/conversations/:conversationId/commands',
    { params, reply: ConversationCommands, message: 'commands' },
    ({ person, params }) => messages.listCommands(ownOf(person, params)),
  );
}

/** A person's client finds people and bots, writes, and listens to what happens. */
export function messageChatRoutes(chat: ChatRoutes, messages: Messages, media: Media): void {
  chat.get(
    '/profiles',
    {
      query: Type.Object({ username: Type.String({ maxLength: 64 }) }),
      reply: Profile,
      message: 'found by username',
    },
    ({ person, query }) => messages.findProfile(person.accountId, query.username),
  );

  chat.get('/management-bot', { reply: Profile, message: 'management bot' }, ({ person }) =>
    messages.findManagementBotProfile(person.accountId),
  );

  chat.get('/invites/:token', { params: InviteParams, ...profile }, ({ person, params }) =>
    messages.findInvitingProfile(person.accountId, params.token),
  );

  chat.get(
    '/profiles/:userId',
    { params: Type.Object({ userId: UserId }), ...profile },
    ({ person, params }) => messages.showProfile(person.accountId, params.userId),
  );

  chat.post('/messages', { body: WriteMessage, ...written }, async ({ person, body, reserved }) => {
    await media.claim(body, reserved.id);
    return messages.write(person, body, reserved);
  });

  chat.post(
    '/groups/messages',
    { body: WriteGroupMessage, ...written },
    async ({ person, body, reserved }) => {
      await media.claim(body, reserved.id);
      return messages.writeToGroup(person, body, reserved);
    },
  );

  chat.post('/messages/forward', { body: ForwardMessage, ...written }, ({ person, body, reserved }) =>
    messages.forward(person, body, reserved),
  );

  chat.get('/remote-media', { reply: RemoteMedia, message: 'whose media load by themselves' }, ({ person }) =>
    messages.showRemoteMedia(person.accountId),
  );

  const after = Type.Optional(Type.String({ maxLength: 64 }));
  chat.raw('/live', { query: Type.Object({ after }) }, async ({ person, query, request, reply }) => {
    // A browser that reconnects automatically sends a newer cursor than the one in the original address.
    const cursor = String(request.headers['last-event-id'] ?? query.after ?? '');
    const page = await messages.joinLive(person, cursor);
    // Otherwise a client that disconnected meanwhile would never be noticed.
    if (reply.raw.destroyed) return page.onClose();
    await page.attach(openEventStream(reply, page));
  });
}
