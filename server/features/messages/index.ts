import { V1 } from '#contract/api/v1.ts';
import type { ChatMessage } from '#contract/chat.ts';
import type { GroupHook } from '#features/groups/index.ts';
import type { Tx } from '#platform/database.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { findReadable, type OwnConversation } from './access/own-conversation.ts';
import { selectPeerIds } from './access/queries.ts';
import { createBotInbox } from './bot-inbox.ts';
import { botRoutes } from './bot-routes.ts';
import { type RemovedMessages, removeMessages } from './changes/delete.ts';
import { conversationChatRoutes, messageChatRoutes } from './chat.ts';
import { createMessageAccountHook, listOldestFirst } from './conversations/account-hook.ts';
import { hideConversation } from './conversations/settings.ts';
import { readThread } from './conversations/thread.ts';
import { type MessageDeps, openLimits } from './deps.ts';
import { draftChatRoutes } from './drafts.ts';
import { KeptDrafts } from './live/kept-drafts.ts';
import { LivePages } from './live/pages.ts';
import { writeNotice } from './notices.ts';
import { findMessages, type MessageKey } from './queries.ts';
import { findConcerned, type MemberBot } from './quiet-bots.ts';
import { receiptChatRoutes } from './receipts/receipts.ts';
import { holdConversation, MessageExpiry, releaseConversation } from './retention/expire.ts';
import { selectHeld } from './retention/queries.ts';
import { searchChatRoutes } from './search/search.ts';
import { createSenders, type Senders } from './senders.ts';
import { viewMessage } from './view.ts';

export type { ShowWritten, WaitingMessage } from './bot-inbox.ts';
export { type MessageBody, openBody, openBodyIfReadable, usesOf } from './content.ts';
export type { MessageHook } from './deps.ts';
export { type ExportedMessage, exportMessages } from './exported.ts';
export {
  dropMissingQuotes,
  findImported,
  type ImportedMessage,
  importHidden,
  importListings,
  importMentions,
  importMessages,
  importOwnSettings,
  importPins,
  importRetention,
  moveMarkers,
  type OwnSettingsRow,
} from './imported.ts';
export { unansweredPoll } from './view.ts';

/** Messages and conversations. All features write messages in the same way. */
export type Messages = ReturnType<typeof createMessages>['api'];

/** Legal holds, for the operator's commands too. */
export type Holds = ReturnType<typeof openHolds>;

export function openHolds(deps: Pick<Platform, 'db' | 'clock'>) {
  return {
    ...withDeps(deps, { holdConversation, releaseConversation }),
    ...withDeps(deps.db, { listHeld: selectHeld }),
  };
}

export function createMessages(given: Omit<MessageDeps, 'limits'>) {
  const deps: MessageDeps = { ...given, limits: openLimits(given) };
  const { db } = deps;
  const senders = createSenders(deps);
  const { write, sendToGroup, sendPoll } = senders;
  const pages = new LivePages(deps);
  const kept = new KeptDrafts(deps, senders);
  return {
    api: {
      write,
      sendToGroup,
      sendPoll,
      /**
       * Removes messages from a conversation, whoever wrote them; call the returned function after the commit.
       */
      remove: (tx: Tx, removed: RemovedMessages) => removeMessages(tx, deps, removed),
      /** Messages to bots of the server itself. */
      botInbox: createBotInbox(deps),

      findConcerned: async (tx: Tx, key: MessageKey, bots: readonly MemberBot[]) =>
        findConcerned(tx, deps.keyring, (await findMessages(tx, [key]))[0], bots),

      ...openHolds(deps),
      ...withDeps(deps, { hideConversation, readThread }),
      /** Those of the given messages that a person sees. */
      readChosen: async (own: OwnConversation, msgIds: readonly string[]): Promise<ChatMessage[]> =>
        (await findReadable(deps, own, msgIds)).map((row) => viewMessage(deps.keyring, row)),
      /** The conversations of a person, hidden ones included, and with whom they share a private chat. */
      ...withDeps(db, { listConversations: listOldestFirst, findPeerIds: selectPeerIds }),

      endLive: () => pages[Symbol.dispose](),

      /** Sends what bots that have fallen silent wanted to be kept; of what this process has shown. */
      sendLostDrafts: () => kept.sendLost(),

      /** Removes expired messages; one per worker. */
      openExpiry: () => new MessageExpiry(deps),
    },
    routes: [
      messageRoutes(deps, senders),
      botRoutes(deps, kept),
      groupMessageRoutes(deps, senders),
      messageChatRoutes(deps, senders, pages),
      conversationChatRoutes(deps),
      receiptChatRoutes(deps),
      searchChatRoutes(deps),
      draftChatRoutes(deps),
    ],
    hooks: {
      account: createMessageAccountHook(deps),
      group: { noted: (tx, group, notice) => writeNotice(tx, deps, group, notice) } satisfies GroupHook,
    },
  };
}

/** Messages of bots to people (contract §4). */
function messageRoutes({ media }: MessageDeps, senders: Senders) {
  return serve(V1, {
    'POST /v1/messages': ({ actor, body, reserved }) =>
      media.withClaimedLinks(body, reserved.id, (claimed) => senders.sendPrivate(actor, claimed, reserved)),
  });
}

/** The two routes for writing into a group: for bots, and for bots and consenting people (contract §4). */
function groupMessageRoutes({ media }: MessageDeps, senders: Senders) {
  return serve(V1, {
    'POST /v1/messages/group': ({ actor, body, reserved }) =>
      media.withClaimedLinks(body, reserved.id, (claimed) => senders.sendToGroup(actor, claimed, reserved)),
    'POST /v1/groups/broadcast': ({ actor, body, reserved }) =>
      media.withClaimedLinks(body, reserved.id, (claimed) => senders.sendToGroup(actor, claimed, reserved)),
  });
}
