import type { Static } from 'typebox';
import type { Finding, KeepDraft } from '#contract/chat/drafts.ts';
import type { SearchMessages } from '#contract/chat/search.ts';
import type { ChatMessage, ForwardMessage, Profile, WriteMessage } from '#contract/chat.ts';
import type { SendGroupMessage } from '#contract/groups.ts';
import type { SendMessage } from '#contract/messages.ts';
import { say } from '#contract/reasons.ts';
import type { EventPoll } from '#contract/webhooks/events.ts';
import { type Accounts, openSessionOf, type Person } from '#features/accounts/index.ts';
import { type Actor, type Applications, KeyChanged } from '#features/applications/index.ts';
import type { Bots } from '#features/bots/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Push } from '#features/push/index.ts';
import { SANDBOX, type Webhooks } from '#features/webhooks/index.ts';
import type { Tx } from '#platform/database.ts';
import type { Reserved } from '#platform/http/serve.ts';
import { privateConversationId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { RateLimit } from '#platform/rate-limits/rate-limit.ts';
import { withDeps } from '#platform/with-deps.ts';
import type { OwnConversation } from './access/own-conversation.ts';
import { findReadable } from './access/own-conversation.ts';
import { selectPeerIds } from './access/queries.ts';
import { createBotInbox } from './bot-inbox.ts';
import { deleteMessage, hideMessage } from './changes/delete.ts';
import { editMessage } from './changes/edit.ts';
import { type RemovedMessages, removeMessages } from './changes/remove.ts';
import { type ExtraWrites, readContent, readGroupContent, withFileDetails } from './content.ts';
import { createMessageAccountHook } from './conversations/account-hook.ts';
import { changeLifetime } from './conversations/lifetime.ts';
import { listConversations, showConversation } from './conversations/list.ts';
import { selectListings } from './conversations/own-data-queries.ts';
import {
  findBotProfile,
  findInvitingProfile,
  findParticipants,
  findProfile,
  listCommands,
  showProfile,
} from './conversations/profiles.ts';
import { showRemoteMedia } from './conversations/remote-media.ts';
import { changeConversation, hideConversation, markRead } from './conversations/settings.ts';
import { readThread, showWritten } from './conversations/thread.ts';
import { keepDraft, listDrafts } from './drafts/drafts.ts';
import type { MessageHook } from './hook.ts';
import { LivePages } from './live/pages.ts';
import { createNoticeHook } from './notices.ts';
import { listPinned, pinMessage, unpinMessage } from './pins/pins.ts';
import { reactToMessage } from './reactions/react.ts';
import { listReceipts, markDelivered } from './receipts/receipts.ts';
import { tellTyping } from './receipts/typing.ts';
import { MessageExpiry } from './retention/expire.ts';
import { holdConversation, listHeld, releaseConversation } from './retention/hold.ts';
import { searchMessages } from './search/search.ts';
import { forwardMessage } from './send/forward.ts';
import { sendFromPerson, type Writer } from './send/from-person.ts';
import { createGroupSender } from './send/group.ts';
import { createPrivateSender } from './send/private.ts';
import { type MessageCompletion, viewMessage, viewNewMessage } from './view.ts';

export type { ShowWritten } from './bot-inbox.ts';
export type { WaitingMessage } from './bot-inbox-queries.ts';

import { changeChatRoutes } from './changes/chat.ts';
import { conversationChatRoutes, messageChatRoutes } from './chat.ts';

export { type MessageBody, openBody, openBodyIfReadable } from './content.ts';

import { draftChatRoutes } from './drafts/chat.ts';

export type { MessageHook } from './hook.ts';

import { receiptChatRoutes } from './receipts/chat.ts';
import { searchChatRoutes } from './search/chat.ts';
import { groupMessageRoutes, messageRoutes } from './v1.ts';

export { unansweredPoll } from './view.ts';

/** Typing a name needs a few look-ups; guessing names needs many. */
const USERNAMES_PER_MINUTE = 20;

type Sender = Pick<Actor, 'kind' | 'accountId' | 'cachedKey'>;

/** A bot's answer to a simulated event is accepted and stored nowhere. @throws KeyChanged for a cached key */
function isSandboxAnswer({ kind, cachedKey }: Sender, sandboxId: string, to: string): boolean {
  if (kind !== 'bot' || to !== sandboxId) return false;
  // No statement will compare the key.
  if (cachedKey) throw new KeyChanged();
  return true;
}

/** A search of a long conversation is several requests, one after another. */
const SEARCHES_PER_MINUTE = 240;
/** A page sends it every few seconds; a person may have several. */
const TYPING_PER_MINUTE = 60;
/** Every second or so while somebody types; a person may have several pages. */
const DRAFTS_PER_MINUTE = 120;

/** Messages and conversations. All features write messages in the same way. */
export type Messages = ReturnType<typeof openMessages>['api'];

/** Legal holds, for the operator's commands too. */
export type Holds = ReturnType<typeof openHolds>;

export function openHolds(deps: Pick<Platform, 'db' | 'clock'>) {
  return withDeps(deps, { holdConversation, releaseConversation, listHeld });
}

function openMessages(
  platform: Platform,
  features: {
    accounts: Accounts;
    applications: Applications;
    bots: Bots;
    contacts: Contacts;
    groups: Groups;
    media: Media;
    webhooks: Webhooks;
    push: Push;
    hooks: readonly MessageHook[];
  },
) {
  const deps = { ...platform, ...features };
  const { db, config } = platform;
  const sendPrivate = createPrivateSender(deps);
  const sendToGroup = createGroupSender(deps);
  const pages = new LivePages(deps);
  const finding = new RateLimit(platform, {
    name: 'find-username',
    limit: USERNAMES_PER_MINUTE,
    windowMs: 60_000,
    refusal: say('person.finding-fast'),
  });
  const searches = new RateLimit(platform, {
    name: 'search',
    limit: SEARCHES_PER_MINUTE,
    windowMs: 60_000,
    refusal: say('person.searching-fast'),
  });
  const typing = new RateLimit(platform, {
    name: 'typing',
    limit: TYPING_PER_MINUTE,
    windowMs: 60_000,
    refusal: say('person.typing-fast'),
  });
  const drafting = new RateLimit(platform, {
    name: 'draft',
    limit: DRAFTS_PER_MINUTE,
    windowMs: 60_000,
    refusal: say('person.drafting-fast'),
  });
  const find = async (
    accountId: string,
    { username, inviteToken }: Finding,
  ): Promise<Profile | undefined> => {
    if (username !== undefined) return findProfile({ ...deps, finding }, accountId, username);
    return inviteToken === undefined ? undefined : findInvitingProfile(deps, accountId, inviteToken);
  };
  const complete: MessageCompletion = async (accountId, messages) => {
    let completed = messages;
    for (const hook of features.hooks) completed = (await hook.complete?.(accountId, completed)) ?? completed;
    return completed;
  };
  const accountHook = createMessageAccountHook(deps);
  const api = {
    /** A bot writes to a person. */
    async sendPrivate(bot: Sender, body: Static<typeof SendMessage>, reserved: Reserved) {
      const sending = { to: body.to, field: 'to', content: readContent(body) };
      if (!isSandboxAnswer(bot, SANDBOX.userId, body.to)) await sendPrivate(bot, sending, reserved);
      return { msgId: reserved.id };
    },
    /** A bot or a person writes into a group. */
    async sendToGroup(sender: Sender, body: SendGroupMessage, reserved: Reserved) {
      const sending = { to: body.groupId, content: readGroupContent(body) };
      if (!isSandboxAnswer(sender, SANDBOX.groupId, body.groupId))
        await sendToGroup(sender, sending, reserved);
      return { msgId: reserved.id };
    },
    /** A person writes to a bot or another person, from a client that shows the message. */
    async write(
      person: Writer,
      { to, ...body }: Static<typeof WriteMessage>,
      reserved: Reserved,
    ): Promise<ChatMessage> {
      const written = await sendFromPerson(
        deps,
        person,
        { to, field: 'to', content: withFileDetails(readContent(body), body.fileDetails ?? {}) },
        reserved,
      );
      const conversationId = privateConversationId(person.accountId, to);
      return showWritten(deps, { conversationId, msgId: reserved.id }, written);
    },
    /** The same into a group. */
    async writeToGroup(
      { accountId }: Writer,
      { groupId, ...body }: SendGroupMessage,
      reserved: Reserved,
    ): Promise<ChatMessage> {
      const sending = {
        to: groupId,
        content: withFileDetails(readGroupContent(body), body.fileDetails ?? {}),
      };
      const written = await sendToGroup({ kind: 'user', accountId }, sending, reserved);
      return showWritten(deps, { conversationId: groupId, msgId: reserved.id }, written);
    },
    /** A person forwards a message that they may read. */
    forward: (person: Writer, forwarded: ForwardMessage, reserved: Reserved) =>
      forwardMessage({ ...deps, sendToGroup }, person, forwarded, reserved),
    /**
     * A bot or a person creates a poll, under the rules of messages.
     *
     * @param extraWrites further writes in the transaction of its message
     * @returns undefined if an earlier request with its Idempotency-Key stored it
     */
    async sendPoll(
      sender: Sender,
      { to, poll }: { to: { groupId: string } | { receiverId: string }; poll: EventPoll },
      reserved: Reserved,
      extraWrites: ExtraWrites,
    ): Promise<ChatMessage | undefined> {
      const content = { type: 'poll' as const, body: { poll }, replyToMsgId: undefined };
      const sending = { field: 'receiverId', content, extraWrites };
      const send = () => {
        if ('groupId' in to) return sendToGroup(sender, { ...sending, to: to.groupId }, reserved);
        const direct = { ...sending, to: to.receiverId };
        return sender.kind === 'bot'
          ? sendPrivate(sender, direct, reserved)
          : sendFromPerson(deps, sender, direct, reserved);
      };
      const written = await send();
      return written && viewNewMessage(written);
    },
    /**
     * Removes messages from a conversation, whoever wrote them; call the returned function after the commit.
     */
    remove: (tx: Tx, removed: RemovedMessages) => removeMessages(tx, deps, removed),
    /** Removes the messages of an account with the account. */
    removeAccount: accountHook.deleted,
    /** Messages to bots of the server itself. */
    botInbox: createBotInbox(deps),

    ...withDeps(deps, { changeLifetime }),
    ...openHolds(deps),
    ...withDeps(deps, {
      listConversations,
      showConversation,
      changeConversation,
      hideConversation,
      markRead,
      readThread,
      editMessage,
      deleteMessage,
      hideMessage,
      reactToMessage,
      pinMessage,
      unpinMessage,
      listPinned,
      listDrafts,
      listReceipts,
      markDelivered,
      findParticipants,
      listCommands,
      findInvitingProfile,
      showProfile,
      showRemoteMedia,
    }),
    findManagementBotProfile: (accountId: string) =>
      findBotProfile(deps, accountId, config.managementBotUsername),
    /** The person or bot with this username. */
    findProfile: (accountId: string, username: string) =>
      findProfile({ ...deps, finding }, accountId, username),
    /** Those of the given messages that a person sees. */
    readChosen: async (own: OwnConversation, msgIds: readonly string[]): Promise<ChatMessage[]> =>
      (await findReadable(deps, own, msgIds)).map((row) => viewMessage(platform.keyring, row)),
    /** The conversations of a person, the oldest first, hidden ones included. */
    findListings: (accountId: string) => selectListings(db, accountId),
    /** The accounts with which a person shares a private chat, bots included. */
    findPeerIds: (accountId: string) => selectPeerIds(db, accountId),

    keepDraft: (own: OwnConversation, draft: KeepDraft) => keepDraft({ ...deps, drafting, find }, own, draft),

    tellTyping: (own: OwnConversation) => tellTyping({ ...deps, typing }, own),

    searchMessages: (accountId: string, sought: SearchMessages) =>
      searchMessages({ ...deps, searches }, accountId, sought),

    /** A page of a person subscribes, or resumes from the cursor. */
    joinLive: (person: Person, cursor: string) => pages.join(openSessionOf(person), cursor),
    endLive: () => pages[Symbol.dispose](),

    /** Removes expired messages; one per worker. */
    openExpiry: () => new MessageExpiry(deps),
  };
  return { api, hooks: { account: accountHook, group: createNoticeHook(deps) }, complete };
}

export function createMessages(platform: Platform, features: Parameters<typeof openMessages>[1]) {
  const { api, hooks, complete } = openMessages(platform, features);
  return {
    api,
    hooks,
    routes: [
      ...messageRoutes(api),
      ...groupMessageRoutes(api),
      ...messageChatRoutes(api, features.media),
      ...conversationChatRoutes(api, complete),
      ...changeChatRoutes(api),
      ...receiptChatRoutes(api),
      ...searchChatRoutes(api),
      ...draftChatRoutes(api),
    ],
  };
}
