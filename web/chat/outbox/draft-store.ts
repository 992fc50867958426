import type { Finding } from '#contract/chat/drafts.ts';
import type { Quote } from '#contract/chat.ts';

/** Text that was not sent. */
export interface Draft {
  text: string;
  quote?: Quote | undefined;
  /** Members whose names were completed: the name as it stands in the text, and whose it is. */
  mentioned?: Record<string, string>;
  /** Whom the conversation would be with, if it has not begun. */
  finding?: Finding;
}

/** As this browser has it. */
export interface StoredDraft extends Draft {
  /** Of what the server knows. */
  version?: number;
  /** It has changed since, or the server does not know it. */
  isUnsaved?: boolean;
}

export function isEmpty({ text, quote }: Draft): boolean {
  return text.trim() === '' && !quote;
}

type KeptValues = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** The drafts of an account in the browser's storage, by conversation. */
export class DraftStore {
  readonly #kept: KeptValues;
  readonly #prefix: string;

  constructor(accountId: string, kept: KeptValues = localStorage) {
    this.#kept = kept;
    this.#prefix = `parley-draft:${accountId}:`;
  }

  read(conversationId: string): StoredDraft | undefined {
    const kept = this.#kept.getItem(this.#prefix + conversationId);
    if (kept === null) return undefined;
    const draft = JSON.parse(kept) as StoredDraft;
    return draft.version === undefined ? { ...draft, isUnsaved: true } : draft;
  }

  write(conversationId: string, draft: StoredDraft): void {
    try {
      this.#kept.setItem(this.#prefix + conversationId, JSON.stringify(draft));
    } catch {
      // Storage is full or forbidden: it stands in the field at least.
    }
  }

  remove(conversationId: string): void {
    this.#kept.removeItem(this.#prefix + conversationId);
  }

  /** The conversations with a draft. */
  names(): string[] {
    return Array.from({ length: this.#kept.length }, (_, i) => this.#kept.key(i) ?? '')
      .filter((name) => name.startsWith(this.#prefix))
      .map((name) => name.slice(this.#prefix.length));
  }
}
