import type { ChatMessage } from '#contract/chat.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Bots } from '#features/bots/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Push } from '#features/push/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { RateLimit } from '#platform/rate-limits.ts';
import type { ExtraWrites, MessageContent } from './content.ts';

/** Dependencies of messages and conversations. */
export interface MessageDeps extends Platform {
  accounts: Accounts;
  applications: Applications;
  bots: Bots;
  contacts: Contacts;
  groups: Groups;
  media: Media;
  webhooks: Webhooks;
  push: Push;
  hooks: readonly MessageHook[];
  /** How often a person may look up a username. */
  finding: RateLimit;
}

/** A feature that stores data with a message. */
export interface MessageHook {
  /** Adds data of the feature to messages, as the given person sees it: the results of polls. */
  complete?(accountId: string, messages: ChatMessage[]): Promise<ChatMessage[]>;
  /** The content of a forwarded message that needs more than a copy, and what commits with it. */
  forwarded?(
    content: MessageContent,
    receiverId: string | null,
  ): { content: MessageContent; extraWrites?: ExtraWrites } | undefined;
  /** In the transaction that deletes the message. */
  deleted(tx: Tx, message: { bucket: number; msgId: string; type: string; at: number }): Promise<void>;
  /** In the transaction that deletes expired messages permanently. */
  expired?(tx: Tx, messages: readonly { msgId: string; type: string }[]): Promise<void>;
}
