import { notifyManager } from '@tanstack/react-query';
import type { ChatMessage } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { ApiError } from '../../ui/api.ts';
import { serverNow } from '../../ui/clock.ts';
import { uniqueId } from '../../ui/secure-context.ts';
import { Watchers } from '../../ui/watchers.ts';
import type { OutboxStore, Unsent } from './store.ts';
import { isUploadDue, type Upload, type Uploaded, Uploads } from './uploads.ts';

interface OutboxConnection {
  send: (unsent: Unsent) => Promise<ChatMessage>;
  upload: Upload;
  /** Called when the file of a message is no longer needed. */
  dropFile: (fileKey: string) => void;
  /** Called on each success, synchronously with the removal of the message from the outbox. */
  onSent: (message: ChatMessage, unsent: Unsent) => void;
  describe: (error: unknown) => string;
  /** The text for a temporary failure that is retried automatically. */
  describeDelay: (error: ApiError) => string;
  /** The text for a message that may have arrived so long ago that the server no longer knows its key. */
  describeUncertain: () => string;
}

type Begun = Pick<Unsent, 'key' | 'createdAt' | 'isTried'>;

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
/** Rate limits up to this are waited out automatically; for longer ones, the person decides. */
const LONGEST_LIMIT_SECONDS = 120;
/** How long loading a thread waits for messages in flight. */
const SETTLING_MS = 5_000;

/**
 * Unsent messages; they survive a reload. Each conversation sends one at a time, in order; failed deliveries are retried
 * under the same key, and refused ones wait for the person. Files are uploaded in parallel and hold up only the message or
 * album that they belong to.
 */
export class Outbox {
  #store: OutboxStore | undefined;
  #connection: OutboxConnection | undefined;
  #all: readonly Unsent[] = [];
  readonly #uploads = new Uploads();
  readonly #working = new Map<string, Promise<void>>();
  readonly #watchers = new Watchers();
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  /** Resumes what is left from before; runs until the returned function is called. */
  start(store: OutboxStore, connection: OutboxConnection): () => void {
    this.#store = store;
    this.#connection = connection;
    const stop = store.onRemoved((key) => this.#forget(key));
    this.flush();
    return () => {
      stop();
      clearTimeout(this.#retry);
      this.#uploads.stop();
      this.#store = undefined;
      this.#connection = undefined;
      this.#change([]);
    };
  }

  readonly subscribe = this.#watchers.subscribe;

  readonly all = (): readonly Unsent[] => this.#all;

  /** The uploaded share of a message's file, from 0 to 1; undefined while it waits. */
  readonly uploadedShare = (key: string): number | undefined => this.#uploads.shareOf(key);

  add(written: Omit<Unsent, keyof Begun> & Partial<Begun>): void {
    const begun = { key: uniqueId(), createdAt: serverNow(), isTried: false, ...written };
    let { createdAt } = begun;
    // Files of an album are added at the same moment, and must keep their order in the storage.
    while (this.#all.some((one) => one.createdAt === createdAt)) createdAt++;
    const unsent: Unsent = { ...begun, createdAt };
    this.#store?.write(unsent.key, unsent);
    this.#change([...this.#all, unsent]);
    this.#start(unsent.conversationId);
    this.#upload();
  }

  /** Sends a refused message again, at the person's request. */
  retry(key: string): void {
    const found = this.#find(key);
    if (!found) return;
    const { fault: _, delay: __, ...rest } = found;
    // The uploads of a refused message may have been deleted by now.
    const again = rest.file
      ? { ...rest, content: { ...rest.content, fileUrl: null, thumbnailUrl: null } }
      : rest;
    if (again.isTried && isForgotten(again)) {
      this.#remove(key);
      this.add({ ...again, key: uniqueId(), createdAt: serverNow(), isTried: false });
      return;
    }
    this.#put(again);
    this.#start(again.conversationId);
    this.#upload();
  }

  discard(key: string): void {
    const found = this.#find(key);
    if (found?.file) this.#connection?.dropFile(found.file.key);
    this.#remove(key);
    // The rest of its album may have been waiting for it.
    if (found) this.#start(found.conversationId);
    this.#upload();
  }

  #remove(key: string): void {
    this.#store?.remove(key);
    this.#forget(key);
  }

  #forget(key: string): void {
    this.#uploads.stop(key);
    this.#change(this.#all.filter((unsent) => unsent.key !== key));
  }

  /** Tries to send everything that is waiting, now; also what another window has left, such as one closed while offline. */
  flush(): void {
    clearTimeout(this.#retry);
    const left = this.#store?.readAll().filter(({ key }) => !this.#find(key)) ?? [];
    if (left.length > 0)
      this.#change([...this.#all, ...left].sort((one, other) => one.createdAt - other.createdAt));
    for (const { conversationId } of this.#all) this.#start(conversationId);
    this.#upload();
  }

  isSending(conversationId: string): boolean {
    return this.#working.has(conversationId);
  }

  /** Resolves when messages that the server may already have are known to be sent or not, or after a timeout. */
  async settled(conversationId: string): Promise<void> {
    if (!this.#all.some((one) => one.conversationId === conversationId && one.isTried && !one.fault)) return;
    const late = new Promise<void>((resolve) => setTimeout(resolve, SETTLING_MS));
    await Promise.race([this.#start(conversationId), late]);
  }

  #start(conversationId: string): Promise<void> {
    const working = this.#working.get(conversationId) ?? this.#work(conversationId);
    this.#working.set(conversationId, working);
    return working;
  }

  async #work(conversationId: string): Promise<void> {
    // Listeners must not run synchronously within the call.
    await Promise.resolve();
    try {
      for (;;) {
        const next = this.#all.find((one) => one.conversationId === conversationId && this.#isReady(one));
        if (!next || !this.#connection || !(await this.#deliver(next, this.#connection))) return;
      }
    } finally {
      this.#working.delete(conversationId);
    }
  }

  /** An album is sent once all of its files are uploaded. */
  #isReady({ key, content, fault }: Unsent): boolean {
    if (fault !== undefined) return false;
    const albumId = content.fileDetails?.albumId;
    return !this.#all.some(
      (one) =>
        isUploadDue(one) &&
        (one.key === key || (albumId !== undefined && one.content.fileDetails?.albumId === albumId)),
    );
  }

  #upload(): void {
    if (!this.#connection) return;
    this.#uploads.start(this.#all, this.#connection.upload, {
      onProgress: () => this.#change(this.#all),
      onDone: ({ key, conversationId }, uploaded) => {
        this.#failures = 0;
        this.#putUploaded(key, uploaded);
        this.#start(conversationId);
        this.#upload();
      },
      onFailed: ({ key, conversationId }, error) => {
        const unsent = this.#find(key);
        if (!unsent || !this.#connection) return;
        if (!this.#fail(unsent, error, this.#connection)) return this.#tryAgainLater(error);
        this.#start(conversationId);
        this.#upload();
      },
    });
  }

  #putUploaded(key: string, { fileDetails, ...urls }: Uploaded): void {
    const unsent = this.#find(key);
    if (!unsent) return;
    const { delay: _, content, ...rest } = unsent;
    const details = { ...content.fileDetails, ...fileDetails };
    this.#put({ ...rest, content: { ...content, ...urls, ...(fileDetails && { fileDetails: details }) } });
  }

  /** Whether to go on with the next message. */
  async #deliver(unsent: Unsent, connection: OutboxConnection): Promise<boolean> {
    const { send, onSent } = connection;
    if (unsent.isTried && isForgotten(unsent)) {
      // The server would store it again: only the person can see whether it has arrived.
      this.#put({ ...unsent, fault: connection.describeUncertain() });
      return true;
    }
    if (!unsent.isTried) this.#put({ ...unsent, isTried: true });
    try {
      const message = await send(unsent);
      this.#failures = 0;
      // Both become visible at once.
      notifyManager.batch(() => {
        onSent(message, unsent);
        this.discard(unsent.key);
      });
      return true;
    } catch (error) {
      const { quote: _, ...rest } = unsent;
      const { replyToMsgId, ...content } = unsent.content;
      if (replyToMsgId && isQuoteGone(error)) {
        if (this.#find(unsent.key)) this.#put({ ...rest, content, isTried: true });
        return true;
      }
      if (this.#fail({ ...unsent, isTried: true }, error, connection)) return true;
      this.#tryAgainLater(error);
      return false;
    }
  }

  /** Records why sending failed. Returns whether the message now waits for the person. */
  #fail(unsent: Unsent, error: unknown, { describe, describeDelay }: OutboxConnection): boolean {
    const isRefused = error instanceof ApiError ? waitsForPerson(error) : isUploadDue(unsent);
    if (this.#find(unsent.key)) {
      if (isRefused) this.#put({ ...unsent, fault: describe(error) });
      else if (error instanceof ApiError && error.status === 429)
        this.#put({ ...unsent, delay: describeDelay(error) });
    }
    return isRefused;
  }

  #tryAgainLater(error: unknown): void {
    const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    const wait = Math.min(FIRST_DELAY_MS * 2 ** this.#failures++, LONGEST_DELAY_MS);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.flush(), Math.max(wait, asked));
  }

  #find(key: string): Unsent | undefined {
    return this.#all.find((unsent) => unsent.key === key);
  }

  #put(changed: Unsent): void {
    this.#store?.write(changed.key, changed);
    this.#change(this.#all.map((unsent) => (unsent.key === changed.key ? changed : unsent)));
  }

  #change(all: readonly Unsent[]): void {
    this.#all = all;
    notifyManager.schedule(() => this.#watchers.tell());
  }
}

/** Errors that a retry would not solve soon. When signed out, messages wait for the next sign-in. */
function waitsForPerson({ status, isTemporary, retryAfterSeconds = 0 }: ApiError): boolean {
  if (status === 429) return retryAfterSeconds > LONGEST_LIMIT_SECONDS;
  return !isTemporary && status !== 401;
}

/** The quoted message was deleted meanwhile. What was answered to it is sent without the quote. */
function isQuoteGone(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'conversation.no-quoted-message';
}

/** Whether the server, if it received the message, would have forgotten its key. */
function isForgotten({ createdAt }: Unsent): boolean {
  return serverNow() - createdAt > LIMITS.idempotencyHours * 3_600_000;
}

export const outbox = new Outbox();
