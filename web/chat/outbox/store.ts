import type { ForwardMessage, Quote } from '#contract/chat.ts';
import type { ContentType, SentContent } from '#contract/messages.ts';
import { type Kept, KeptRecords } from './kept-records.ts';

/** A message that the server has not accepted yet. */
export interface Unsent {
  /** The `Idempotency-Key` of every attempt: however often it is sent, it is stored once. */
  key: string;
  conversationId: string;
  /** The recipient: a person or bot, or a group. */
  target: { to: string } | { groupId: string; mentionedUserIds?: string[] };
  content: SentContent & { type: ContentType };
  /** A file to upload before sending; until then, the content has no URL for it. See files.ts. */
  file?: { key: string; name: string; size: number };
  quote?: Quote;
  /** The forwarded message; `content` is its appearance until it is sent. */
  forwarded?: Pick<ForwardMessage, 'conversationId' | 'msgId' | 'isAnonymous' | 'albumId'>;
  createdAt: number;
  /** Whether an attempt was made: the server may have it. */
  isTried: boolean;
  /** Why the server refused it; it then waits for the person. */
  fault?: string;
  /** Why the server asked to wait; it is then retried automatically. */
  delay?: string;
}

/** Unsent messages, by their key. */
export class OutboxStore extends KeptRecords<Unsent> {
  constructor(accountId: string, ...kept: Kept) {
    super('unsent', accountId, ...kept);
  }

  readAll(): Unsent[] {
    return this.names()
      .flatMap((key) => this.read(key) ?? [])
      .sort((one, other) => one.createdAt - other.createdAt);
  }

  /** Another window has sent or discarded it. */
  onRemoved(removed: (key: string) => void): () => void {
    return this.onChange((key, unsent) => unsent || removed(key));
  }
}
