import { CHAT } from '#contract/api/chat.ts';
import type { RemoteMedia } from '#contract/chat.ts';
import { openSessionOf } from '#features/accounts/index.ts';
import { contactKey } from '#features/contacts/index.ts';
import { openEventStream } from '#platform/http/connections/event-stream.ts';
import { serve } from '#platform/http/serve.ts';
import { selectPeerIds } from './access/queries.ts';
import { deleteMessage, hideMessage } from './changes/delete.ts';
import { editMessage } from './changes/edit.ts';
import { reactToMessage, readEmoji } from './changes/react.ts';
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
import { changeConversation, changeLifetime, hideConversation, markRead } from './conversations/settings.ts';
import { readThread } from './conversations/thread.ts';
import type { MessageDeps } from './deps.ts';
import type { LivePages } from './live/pages.ts';
import { listPinned, pinMessage, unpinMessage } from './pins.ts';
import type { Senders } from './senders.ts';
import { viewMessage } from './view.ts';

/** A conversation of a person, or a message in it. */
function ownOf<Params extends object>({ accountId }: { accountId: string }, params: Params) {
  return { accountId, ...params };
}

/** The list of a person's conversations, each of them, and changes of their messages, which are not in the API's contract. */
export function conversationChatRoutes(deps: MessageDeps) {
  return serve(CHAT, {
    'GET /conversations': ({ person, query }) => listConversations(deps, person.accountId, query.cursor),
    'GET /conversations/:conversationId': ({ person, params }) =>
      showConversation(deps, ownOf(person, params)),
    'PATCH /conversations/:conversationId': ({ person, params, body }) =>
      changeConversation(deps, ownOf(person, params), body),
    'DELETE /conversations/:conversationId': async ({ person, params }) => {
      await hideConversation(deps, ownOf(person, params));
      return params;
    },
    'POST /conversations/:conversationId/read': ({ person, params, body }) =>
      markRead(deps, ownOf(person, params), body.msgId),
    'GET /conversations/:conversationId/messages': ({ person, params, query }) =>
      readThread(deps, person.accountId, { ...params, ...query }),
    'GET /conversations/:conversationId/pins': ({ person, params }) =>
      listPinned(deps, ownOf(person, params)),
    'GET /conversations/:conversationId/people': ({ person, params, query }) =>
      findParticipants(deps, ownOf(person, params), [...new Set(query.userIds.split(','))]),
    'GET /conversations/:conversationId/commands': ({ person, params }) =>
      listCommands(deps, ownOf(person, params)),
    'GET /conversations/:conversationId/last-seen': ({ person, params }) =>
      showLastSeen(deps, ownOf(person, params)),
    'PUT /conversations/:conversationId/retention': ({ person, params, body }) =>
      changeLifetime(deps, ownOf(person, params), body.lifetimeDays),
    'PATCH /conversations/:conversationId/messages/:msgId': async ({ person, params, body }) =>
      viewMessage(deps.keyring, await editMessage(deps, ownOf(person, params), () => body.text)),
    'DELETE /conversations/:conversationId/messages/:msgId': async ({ person, params }) => {
      await deleteMessage(deps, ownOf(person, params));
      return params;
    },
    'POST /conversations/:conversationId/messages/:msgId/hide': async ({ person, params }) => {
      await hideMessage(deps, ownOf(person, params));
      return params;
    },
    'PUT /conversations/:conversationId/messages/:msgId/reactions': ({ person, params, body }) =>
      reactToMessage(deps, ownOf(person, params), readEmoji(body.emoji)),
    'PUT /conversations/:conversationId/messages/:msgId/pin': async ({ person, params }) => {
      await pinMessage(deps, ownOf(person, params));
      return params;
    },
    'DELETE /conversations/:conversationId/messages/:msgId/pin': async ({ person, params }) => {
      await unpinMessage(deps, ownOf(person, params));
      return params;
    },
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
  const found = await contacts.find(sides);
  const known = new Set(
    found.flatMap((own) => (own.wroteAt !== null && own.blockedAt === null ? own.conversationId : [])),
  );
  return { load, contactIds: peerIds.filter((_, i) => known.has(sides[i]?.conversationId ?? '')) };
}
