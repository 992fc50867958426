import { type Static, Type } from 'typebox';
import { CHAT } from '#contract/api/chat.ts';
import { id } from '#contract/ids.ts';
import type { Media } from '#features/media/index.ts';
import { openEventStream } from '#platform/http/connections/event-stream.ts';
import { serve } from '#platform/http/serve.ts';
import type { OwnConversation } from './access/own-conversation.ts';
import type { Messages } from './index.ts';
import type { MessageCompletion } from './view.ts';

const params = Type.Object({ conversationId: id() });

function ownOf(
  { accountId }: { accountId: string },
  { conversationId }: Static<typeof params>,
): OwnConversation {
  return { accountId, conversationId };
}

/** The list of a person's conversations, and each of them. */
export function conversationChatRoutes(messages: Messages, complete: MessageCompletion) {
  return [
    serve(CHAT, {
      'GET /conversations': ({ person, query }) =>
        messages.listConversations(person.accountId, query.cursor, complete),
      'GET /conversations/:conversationId': ({ person, params }) =>
        messages.showConversation(ownOf(person, params), complete),
      'PATCH /conversations/:conversationId': ({ person, params, body }) =>
        messages.changeConversation(ownOf(person, params), body),
      'DELETE /conversations/:conversationId': async ({ person, params }) => {
        await messages.hideConversation(ownOf(person, params));
        return params;
      },
      'POST /conversations/:conversationId/read': ({ person, params, body }) =>
        messages.markRead(ownOf(person, params), body.msgId),
      'GET /conversations/:conversationId/messages': ({ person, params, query }) =>
        messages.readThread(person.accountId, { ...params, ...query }, complete),
      'GET /conversations/:conversationId/pins': ({ person, params }) =>
        messages.listPinned(ownOf(person, params), complete),
      'GET /conversations/:conversationId/people': ({ person, params, query }) =>
        messages.findParticipants(ownOf(person, params), [...new Set(query.userIds.split(','))]),
      'GET /conversations/:conversationId/commands': ({ person, params }) =>
        messages.listCommands(ownOf(person, params)),
    }),
  ];
}

/** A person's client finds people and bots, writes, and listens to what happens. */
export function messageChatRoutes(messages: Messages, media: Media) {
  return [
    serve(CHAT, {
      'GET /profiles': ({ person, query }) => messages.findProfile(person.accountId, query.username),
      'GET /management-bot': ({ person }) => messages.findManagementBotProfile(person.accountId),
      'GET /invites/:token': ({ person, params }) =>
        messages.findInvitingProfile(person.accountId, params.token),
      'GET /profiles/:userId': ({ person, params }) => messages.showProfile(person.accountId, params.userId),
      'POST /messages': async ({ person, body, reserved }) => {
        await media.claim(body, reserved.id);
        return messages.write(person, body, reserved);
      },
      'POST /groups/messages': async ({ person, body, reserved }) => {
        await media.claim(body, reserved.id);
        return messages.writeToGroup(person, body, reserved);
      },
      'POST /messages/forward': ({ person, body, reserved }) => messages.forward(person, body, reserved),
      'GET /remote-media': ({ person }) => messages.showRemoteMedia(person.accountId),
      'GET /live': async ({ person, query, request, reply }) => {
        // A browser that reconnects automatically sends a newer cursor than the one in the original address.
        const cursor = String(request.headers['last-event-id'] ?? query.after ?? '');
        const page = await messages.joinLive(person, cursor);
        // Otherwise a client that disconnected meanwhile would never be noticed.
        if (reply.raw.destroyed) return page.onClose();
        await page.attach(openEventStream(reply, page));
      },
    }),
  ];
}
