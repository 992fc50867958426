import type { KeepDraft, KeptDraft } from '#contract/chat/drafts.ts';
import { LIMITS } from '#contract/limits.ts';
import { type Draft, type DraftStore, isEmpty, type StoredDraft } from './draft-store.ts';

/** A draft is saved after this pause, and at least this often while it keeps changing. */
const REST_MS = 1_000;
const LONGEST_MS = 5_000;

interface Calls {
  list: () => Promise<KeptDraft[]>;
  keep: (conversationId: string, draft: KeepDraft) => Promise<KeptDraft>;
}

/** Synchronises this browser's drafts with the server's; local changes that are not saved yet win. */
export class DraftSync {
  readonly #store: DraftStore;
  readonly #calls: Calls;
  readonly #onChange: (conversationId: string) => void;
  readonly #timers = new Map<string, { timer: ReturnType<typeof setTimeout>; since: number }>();
  readonly #saving = new Set<string>();
  readonly #late = new Map<string, KeptDraft>();
  /** The newest version from the server, by conversation, to ignore late events. */
  readonly #versions = new Map<string, number>();
  #isStopped = false;

  /** @param onChange called with the conversation whose draft changed on another device */
  constructor(store: DraftStore, calls: Calls, onChange: (conversationId: string) => void) {
    this.#store = store;
    this.#calls = calls;
    this.#onChange = onChange;
  }

  /** The person changed or sent the draft. */
  change(conversationId: string, draft: Draft): void {
    const { version } = this.#store.read(conversationId) ?? {};
    const isUnknown = version === undefined && !this.#saving.has(conversationId);
    // The server never had it, so there is nothing to remove.
    if (isEmpty(draft) && isUnknown) {
      this.#drop(conversationId);
      return;
    }
    this.#store.write(conversationId, {
      ...draft,
      ...(version !== undefined && { version }),
      isUnsaved: true,
    });
    this.#saveLater(conversationId);
  }

  /** Another device, or this one, has saved a draft. */
  receive(kept: KeptDraft): void {
    const { conversationId, version, draft } = kept;
    if (version <= (this.#versions.get(conversationId) ?? 0)) return;
    // The response to the save shows whether it is newer.
    if (this.#saving.has(conversationId)) {
      this.#late.set(conversationId, kept);
      return;
    }
    if (this.#store.read(conversationId)?.isUnsaved) return;
    this.#versions.set(conversationId, version);
    if (draft) this.#store.write(conversationId, { ...draft, version });
    else this.#store.remove(conversationId);
    this.#onChange(conversationId);
  }

  /** Loads the server's drafts after a disconnection, and sends it the local ones. */
  async readAll(): Promise<void> {
    const before = new Map(this.#versions);
    const kept = await this.#calls.list();
    for (const one of kept) this.receive(one);
    const known = new Set(kept.map(({ conversationId }) => conversationId));
    for (const conversationId of kept.length < LIMITS.drafts ? this.#store.names() : []) {
      const isNewer = this.#versions.get(conversationId) !== before.get(conversationId);
      if (known.has(conversationId) || isNewer || this.#store.read(conversationId)?.isUnsaved) continue;
      this.#drop(conversationId);
      this.#onChange(conversationId);
    }
    this.flush();
  }

  /** Saves all unsaved drafts now. */
  flush(): void {
    for (const conversationId of this.#store.names()) void this.#save(conversationId);
  }

  /** From then on, nothing is stored here: whoever signs out leaves nothing. */
  stop(): void {
    this.#isStopped = true;
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #saveLater(conversationId: string): void {
    const known = this.#timers.get(conversationId);
    clearTimeout(known?.timer);
    const since = known?.since ?? Date.now();
    const wait = Math.max(0, Math.min(REST_MS, since + LONGEST_MS - Date.now()));
    const timer = setTimeout(() => void this.#save(conversationId), wait);
    this.#timers.set(conversationId, { timer, since });
  }

  async #save(conversationId: string): Promise<void> {
    const here = this.#store.read(conversationId);
    if (!here?.isUnsaved || this.#saving.has(conversationId)) return;
    clearTimeout(this.#timers.get(conversationId)?.timer);
    this.#timers.delete(conversationId);
    this.#saving.add(conversationId);
    try {
      const { version } = await this.#calls.keep(conversationId, toKeep(here));
      if (this.#isStopped) return;
      this.#versions.set(conversationId, Math.max(version, this.#versions.get(conversationId) ?? 0));
      this.#noteSaved(conversationId, here, version);
    } catch {
      // It stays here, and is saved with the next change or connection. The server may have it although no answer came.
      const now = this.#store.read(conversationId);
      if (now) this.#store.write(conversationId, { version: 0, ...now });
    } finally {
      this.#saving.delete(conversationId);
      const late = this.#late.get(conversationId);
      this.#late.delete(conversationId);
      if (late && !this.#isStopped) this.receive(late);
    }
  }

  #noteSaved(conversationId: string, sent: StoredDraft, version: number): void {
    const { isUnsaved, ...now } = this.#store.read(conversationId) ?? { text: '' };
    if (JSON.stringify(toKeep(now)) !== JSON.stringify(toKeep(sent))) {
      this.#store.write(conversationId, { ...now, version, isUnsaved: true });
      this.#saveLater(conversationId);
    } else if (isEmpty(now)) this.#drop(conversationId);
    else this.#store.write(conversationId, { ...now, version });
  }

  #drop(conversationId: string): void {
    clearTimeout(this.#timers.get(conversationId)?.timer);
    this.#timers.delete(conversationId);
    this.#store.remove(conversationId);
  }
}

function toKeep({ text, quote, mentioned, finding }: Draft): KeepDraft {
  return {
    text,
    ...(quote && { replyToMsgId: quote.msgId }),
    ...(mentioned && { mentioned }),
    ...(finding && { finding }),
  };
}
