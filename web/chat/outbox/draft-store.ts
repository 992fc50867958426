import type { Finding } from '#contract/chat/drafts.ts';
import type { Quote } from '#contract/chat.ts';
import { type Kept, KeptRecords } from './kept-records.ts';

/** An unsent text. */
export interface Draft {
  text: string;
  quote?: Quote | undefined;
  /** Members whose names were completed: userIds by the name as it is in the text. */
  mentioned?: Record<string, string>;
  /** How the peer was found, if the conversation has not begun. */
  finding?: Finding;
}

/** A draft as stored in this browser. */
export interface StoredDraft extends Draft {
  /** The version that the server has; 0 if it may have one. */
  version?: number;
  /** It has changes that the server does not have. */
  isUnsaved?: boolean;
}

export function isEmpty({ text, quote }: Draft): boolean {
  return text.trim() === '' && !quote;
}

/** The drafts of an account, by conversation. */
export class DraftStore extends KeptRecords<StoredDraft> {
  constructor(accountId: string, ...kept: Kept) {
    super('draft', accountId, ...kept);
  }

  override read(conversationId: string): StoredDraft | undefined {
    const draft = super.read(conversationId);
    return draft && (draft.version === undefined ? { ...draft, isUnsaved: true } : draft);
  }

  /** Another window has saved or sent a draft. The server's event may come before that window has noted it, and is ignored. */
  onSaved(saved: (conversationId: string) => void): () => void {
    return this.onChange((conversationId, draft) => draft?.isUnsaved || saved(conversationId));
  }
}
