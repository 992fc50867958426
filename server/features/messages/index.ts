import { V1 } from '#contract/api/v1.ts';
import type { ChatMessage } from '#contract/chat.ts';
import { say } from '#contract/reasons.ts';
import type { Tx } from '#platform/database.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import { withDeps } from '#platform/with-deps.ts';
import { findReadable, type OwnConversation } from './access/own-conversation.ts';
import { selectPeerIds } from './access/queries.ts';
import { createBotInbox } from './bot-inbox.ts';
import { botRoutes } from './bot-routes.ts';
import { changeChatRoutes } from './change-routes.ts';
import { type RemovedMessages, removeMessages } from './changes/delete.ts';
import { conversationChatRoutes, messageChatRoutes } from './chat.ts';
import { createMessageAccountHook } from './conversations/account-hook.ts';
import { selectListings } from './conversations/own-data-queries.ts';
import { hideConversation } from './conversations/settings.ts';
import { readThread } from './conversations/thread.ts';
import type { MessageDeps } from './deps.ts';
import { draftChatRoutes } from './drafts.ts';
import { KeptDrafts } from './live/kept-drafts.ts';
import { LivePages } from './live/pages.ts';
import { createNoticeHook } from './notices.ts';
import { findMessages, type MessageKey } from './queries.ts';
import { findConcerned, type MemberBot } from './quiet-bots.ts';
import { receiptChatRoutes } from './receipts/chat.ts';
import { MessageExpiry } from './retention/expire.ts';
import { holdConversation, listHeld, releaseConversation } from './retention/hold.ts';
import { searchChatRoutes } from './search/search.ts';
import { createSenders, type Senders } from './senders.ts';
import { completionBy, viewMessage } from './view.ts';

export type { ShowWritten } from './bot-inbox.ts';
export type { WaitingMessage } from './bot-inbox-queries.ts';
export { type MessageBody, openBody, openBodyIfReadable } from './content.ts';
export type { MessageHook } from './deps.ts';
export { type ExportedMessage, exportMessages } from './exported.ts';
export {
  dropMissingQuotes,
  findImported,
  type ImportedMessage,
  importListings,
  importMessages,
  importPins,
} from './imported.ts';
export {
  importHidden,
  importMentions,
  importOwnSettings,
  importRetention,
  moveMarkers,
  type OwnSettingsRow,
} from './imported-settings.ts';
export { unansweredPoll } from './view.ts';

/** Typing a name needs a few look-ups; guessing names needs many. */
const USERNAMES_PER_MINUTE = 20;

/** Messages and conversations. All features write messages in the same way. */
export type Messages = ReturnType<typeof createMessages>['api'];

/** Legal holds, for the operator's commands too. */
export type Holds = ReturnType<typeof openHolds>;

export function openHolds(deps: Pick<Platform, 'db' | 'clock'>) {
  return withDeps(deps, { holdConversation, releaseConversation, listHeld });
}

export function createMessages(given: Omit<MessageDeps, 'finding'>) {
  const { db } = given;
  const finding = new RateLimit(given, {
    name: 'find-username',
    limit: USERNAMES_PER_MINUTE,
    windowMs: 60_000,
    refusal: say('person.finding-fast'),
  });
  const deps: MessageDeps = { ...given, finding };
  const senders = createSenders(deps);
  const { write, sendToGroup, sendPoll } = senders;
  const pages = new LivePages(deps);
  const kept = new KeptDrafts(deps, senders);
  const complete = completionBy(deps.hooks);
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
      ...withDeps(db, { findListings: selectListings, findPeerIds: selectPeerIds }),

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
      conversationChatRoutes(deps, complete),
      changeChatRoutes(deps),
      receiptChatRoutes(deps),
      searchChatRoutes(deps, complete),
      draftChatRoutes(deps),
    ],
    hooks: { account: createMessageAccountHook(deps), group: createNoticeHook(deps) },
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
