import type { ChatMessage } from '#contract/chat.ts';
import type { Tx } from '#platform/database.ts';
import type { ExtraWrites, MessageContent } from './content.ts';

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
