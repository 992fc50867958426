import type { Static } from 'typebox';
import type { ReadMessages, WriteMessage } from '#contract/chat.ts';
import type { SendGroupMessage } from '#contract/groups.ts';
import type { Accounts, Person, PersonLimits } from '#features/accounts/index.ts';
import { createSessionCheck, openSessionOf } from '#features/accounts/sessions/session-check.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Reserved } from '#platform/http/routes.ts';
import type { Platform } from '#platform/platform.ts';
import { createMessageAccountHook } from './account-hook.ts';
import { selectPeerIds } from './conversation-queries.ts';
import { hideConversation, markRead, muteConversation } from './conversation-settings.ts';
import { listConversations, type OwnConversation, showConversation } from './conversations.ts';
import { LivePages } from './live-stream.ts';
import { selectListings } from './own-data-queries.ts';
import {
  findBotProfile,
  findInvitingProfile,
  findParticipants,
  listCommands,
  showProfile,
} from './profiles.ts';
import { showRemoteMedia } from './remote-media.ts';
import { type Writer, writeMessage } from './send-from-person.ts';
import { createGroupSender } from './send-group.ts';
import { createPrivateSender } from './send-private.ts';
import { readMessage, readThread } from './thread.ts';
import type { MessageCompletion } from './view.ts';

export { conversationChatRoutes, messageChatRoutes } from './chat.ts';
export { groupMessageRoutes, messageRoutes } from './v1.ts';

/**
 * Messages, and the conversations that they make up. Sends that arrive at the same time go out as one batch, whichever
 * surface they come from.
 */
export type Messages = ReturnType<typeof createMessages>;

export function createMessages(
  platform: Platform,
  features: { accounts: Accounts; contacts: Contacts; groups: Groups; limits: PersonLimits },
) {
  const deps = { ...platform, ...features };
  const { db, config } = platform;
  const sendToGroup = createGroupSender(deps);
  const pages = new LivePages(deps, createSessionCheck(platform));
  return {
    /** A bot writes to a person. */
    sendPrivate: createPrivateSender(deps),
    /** A bot or a person writes into a group. */
    sendToGroup,
    /** The same from a person's client, which shows what it wrote. */
    async writeToGroup(accountId: string, body: SendGroupMessage, reserved: Reserved) {
      await sendToGroup({ kind: 'user', accountId }, body, reserved);
      return readMessage(deps, { conversationId: body.groupId, msgId: reserved.id });
    },
    /** A person writes to a bot or to another person. */
    write: (writer: Writer, body: Static<typeof WriteMessage>, { id }: Reserved) =>
      writeMessage(deps, writer, body, id),

    listConversations: (accountId: string, cursor: string | undefined, complete: MessageCompletion) =>
      listConversations(deps, accountId, cursor, complete),
    showConversation: (own: OwnConversation, complete: MessageCompletion) =>
      showConversation(deps, own, complete),
    muteConversation: (own: OwnConversation, isMuted: boolean) => muteConversation(deps, own, isMuted),
    /** "Delete for me". */
    hideConversation: (own: OwnConversation) => hideConversation(deps, own),
    markRead: (own: OwnConversation, msgId: string) => markRead(deps, own, msgId),
    readThread: (
      accountId: string,
      asked: ReadMessages & { conversationId: string },
      complete: MessageCompletion,
    ) => readThread(deps, accountId, asked, complete),
    findParticipants: (own: OwnConversation, userIds: string[]) => findParticipants(deps, own, userIds),
    listCommands: (own: OwnConversation) => listCommands(deps, own),
    /** The conversations of a person, the oldest first, hidden ones included. */
    findListings: (accountId: string) => selectListings(db, accountId),
    /** Whom a person shares a private chat with, bots included. */
    findPeerIds: (accountId: string) => selectPeerIds(db, accountId),

    findBotProfile: (accountId: string, username: string) => findBotProfile(deps, accountId, username),
    findManagementBotProfile: (accountId: string) =>
      findBotProfile(deps, accountId, config.managementBotUsername),
    findInvitingProfile: (accountId: string, token: string) => findInvitingProfile(deps, accountId, token),
    showProfile: (accountId: string, userId: string) => showProfile(deps, accountId, userId),
    showRemoteMedia: (accountId: string) => showRemoteMedia(deps, accountId),

    /** A page of a person listens, or goes on from where the cursor says. */
    joinLive: (person: Person, cursor: string) => pages.join(openSessionOf(person), cursor),
    endLive: () => pages[Symbol.dispose](),

    accountHook: createMessageAccountHook(deps),
  };
}
