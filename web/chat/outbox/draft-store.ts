import type { Finding } from '#contract/chat/drafts.ts';
import type { Quote } from '#contract/chat.ts';
import { keptOf } from '../../ui/session/kept.ts';

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

type KeptValues = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** The drafts of an account in the browser's storage, by conversation. */
export class DraftStore {
  readonly #kept: KeptValues;
  readonly #prefix: string;

  constructor(accountId: string, kept: KeptValues = localStorage) {
    this.#kept = kept;
    this.#prefix = keptOf('draft', accountId);
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
      // Storage is full or forbidden: the text is still in the field.
    }
  }

  remove(conversationId: string): void {
    this.#kept.removeItem(this.#prefix + conversationId);
  }

  /** Another window has saved or sent a draft. The server's event may come before that window has noted it, and is ignored. */
  onSaved(saved: (conversationId: string) => void): () => void {
    const listen = ({ key, newValue }: StorageEvent) => {
      if (!key?.startsWith(this.#prefix)) return;
      if (newValue !== null && (JSON.parse(newValue) as StoredDraft).isUnsaved) return;
      saved(key.slice(this.#prefix.length));
    };
    addEventListener('storage', listen);
    return () => removeEventListener('storage', listen);
  }

  /** The conversations with a draft. */
  names(): string[] {
    return Array.from({ length: this.#kept.length }, (_, i) => this.#kept.key(i) ?? '')
      .filter((name) => name.startsWith(this.#prefix))
      .map((name) => name.slice(this.#prefix.length));
  }
}
