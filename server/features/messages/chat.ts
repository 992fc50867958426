import { type Static, Type } from 'typebox';
import { CHAT } from '#contract/api/chat.ts';
import type { RemoteMedia } from '#contract/chat.ts';
import { id } from '#contract/ids.ts';
import { openSessionOf } from '#features/accounts/index.ts';
import { contactKey } from '#features/contacts/index.ts';
import { openEventStream } from '#platform/http/connections/event-stream.ts';
import { serve } from '#platform/http/serve.ts';
import type { OwnConversation } from './access/own-conversation.ts';
import { selectPeerIds } from './access/queries.ts';
import { listConversations, showConversation } from './conversations/list.ts';
import {
  findBotProfile,
  findInvitingProfile,
  findParticipants,
  findProfile,
  listCommands,
  showLastSeen,
  showProfile,
} from './conversations/profiles.ts';
import { changeConversation, hideConversation, markRead } from './conversations/settings.ts';
import { readThread } from './conversations/thread.ts';
import type { MessageDeps } from './deps.ts';
import type { LivePages } from './live/pages.ts';
import { listPinned } from './pins.ts';
import type { Senders } from './senders.ts';
import type { MessageCompletion } from './view.ts';

const params = Type.Object({ conversationId: id() });

function ownOf(
  { accountId }: { accountId: string },
  { conversationId }: Static<typeof params>,
): OwnConversation {
  return { accountId, conversationId };
}

/** The list of a person's conversations, and each of them. */
export function conversationChatRoutes(deps: MessageDeps, complete: MessageCompletion) {
  return serve(CHAT, {
    'GET /conversations': ({ person, query }) =>
      listConversations(deps, person.accountId, query.cursor, complete),
    'GET /conversations/:conversationId': ({ person, params }) =>
      showConversation(deps, ownOf(person, params), complete),
    'PATCH /conversations/:conversationId': ({ person, params, body }) =>
      changeConversation(deps, ownOf(person, params), body),
    'DELETE /conversations/:conversationId': async ({ person, params }) => {
      await hideConversation(deps, ownOf(person, params));
      return params;
    },
    'POST /conversations/:conversationId/read': ({ person, params, body }) =>
      markRead(deps, ownOf(person, params), body.msgId),
    'GET /conversations/:conversationId/messages': ({ person, params, query }) =>
      readThread(deps, person.accountId, { ...params, ...query }, complete),
    'GET /conversations/:conversationId/pins': ({ person, params }) =>
      listPinned(deps, ownOf(person, params), complete),
    'GET /conversations/:conversationId/people': ({ person, params, query }) =>
      findParticipants(deps, ownOf(person, params), [...new Set(query.userIds.split(','))]),
    'GET /conversations/:conversationId/commands': ({ person, params }) =>
      listCommands(deps, ownOf(person, params)),
    'GET /conversations/:conversationId/last-seen': ({ person, params }) =>
      showLastSeen(deps, ownOf(person, params)),
  });
}

/** A person's client finds people and bots, writes, and listens to what happens. */
export function messageChatRoutes(deps: MessageDeps, senders: Senders, pages: LivePages) {
  return serve(CHAT, {
    'GET /profiles': ({ person, query }) => findProfile(deps, person.accountId, query.username),
    'GET /management-bot': ({ person }) =>
      findBotProfile(deps, person.accountId, deps.config.managementBotUsername),
    'GET /invites/:token': ({ person, params }) => findInvitingProfile(deps, person.accountId, params.token),
    'GET /profiles/:userId': ({ person, params }) => showProfile(deps, person.accountId, params.userId),
    'POST /messages': ({ person, body, reserved }) =>
      deps.media.withClaim(body, [reserved.id], () => senders.write(person, body, reserved)),
    'POST /groups/messages': ({ person, body, reserved }) =>
      deps.media.withClaim(body, [reserved.id], () => senders.writeToGroup(person, body, reserved)),
    'POST /conversations/:conversationId/messages/:msgId/quick-replies': ({
      person,
      params,
      body,
      reserved,
    }) => senders.pressQuickReply(person, { ...params, ...body }, reserved),
    'POST /messages/forward': ({ person, body, reserved }) => senders.forward(person, body, reserved),
    'GET /remote-media': ({ person }) => showRemoteMedia(deps, person.accountId),
    'GET /live': async ({ person, query, request, reply }) => {
      // A browser that reconnects automatically sends a newer cursor than the one in the original address.
      const cursor = String(request.headers['last-event-id'] ?? query.after ?? '');
      const page = await pages.join(openSessionOf(person), cursor);
      // Otherwise a client that disconnected meanwhile would never be noticed.
      if (!reply.raw.destroyed) return page.attach(openEventStream(reply, page));
      page.onClose();
      return reply.send();
    },
  });
}

/** Whose media on other servers a person's pages load automatically. */
async function showRemoteMedia(
  { db, accounts, contacts }: MessageDeps,
  accountId: string,
): Promise<RemoteMedia> {
  const { remoteMedia: load } = await accounts.showProfile(accountId);
  if (load !== 'contacts') return { load, contactIds: [] };
  const peerIds = await selectPeerIds(db, accountId);
  const sides = peerIds.map((peerId) => contactKey(accountId, peerId));
  const found = sides.length === 0 ? [] : await contacts.find(sides);
  const known = new Set(
    found.flatMap((own) => (own.wroteAt !== null && own.blockedAt === null ? own.conversationId : [])),
  );
  return { load, contactIds: peerIds.filter((_, i) => known.has(sides[i]?.conversationId ?? '')) };
}
