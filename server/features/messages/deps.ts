import type { ChatMessage } from '#contract/chat.ts';
import { type Said, say } from '#contract/reasons.ts';
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
import { RateLimit } from '#platform/rate-limits.ts';
import type { ExtraWrites, MessageContent } from './content.ts';

/** Needed to write messages. */
export interface WriteDeps extends Platform {
  accounts: Accounts;
  applications: Applications;
  bots: Bots;
  contacts: Contacts;
  groups: Groups;
  media: Media;
  webhooks: Webhooks;
  push: Push;
}

export interface MessageDeps extends WriteDeps {
  hooks: readonly MessageHook[];
  limits: ReturnType<typeof openLimits>;
}

/** How often per minute a person may do what costs little. */
export function openLimits(platform: Platform) {
  const open = (name: string, limit: number, refusal: Said) =>
    new RateLimit(platform, { name, limit, windowMs: 60_000, refusal });
  return {
    /** Typing a name needs a few look-ups; guessing names needs many. */
    finding: open('find-username', 20, say('person.finding-fast')),
    /** Every second or so while somebody types; a person may have several pages. */
    drafting: open('draft', 120, say('person.drafting-fast')),
    /** A page sends it every few seconds; a person may have several. */
    typing: open('typing', 60, say('person.typing-fast')),
    /** A search of a long conversation is several requests, one after another. */
    searches: open('search', 240, say('person.searching-fast')),
  };
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
