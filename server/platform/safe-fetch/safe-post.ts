import { type Said, say, sayOfField } from '#contract/reasons.ts';
import type { PendingPost, WebhookAgent } from './agent.ts';
import { type Message, type PostWatcher, type WebhookConnection, writeRequest } from './connection.ts';
import { codeOf, type FailureReason, nameFailure, type Phase, sayFailure } from './failure.ts';
import type { Target } from './target.ts';

const DEADLINE_MS = 10_000;
const MAX_BODY_BYTES = 16 * 1024;
/** How much of the body of an answer is kept that is not 2xx. */
const KEPT_BODY_BYTES = 2 * 1024;

interface Address {
  url: string;
  /** From the lookup to the last byte of the response. */
  deadlineMs?: number;
}

export type Post = Address & Message;

/** A post whose message is created once there is a connection for it, so that waiting posts take hardly any memory. */
export interface DraftedPost extends Address {
  write: () => Message;
}

/** Milliseconds that each phase took; null for a phase that was not reached or not needed (a kept connection). */
export interface Timings {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  /** From the connection to the end of the response headers. */
  firstByte: number | null;
  total: number;
}

/** The receiver answered, whatever the status: redirects are not followed. */
export interface PostResponse {
  kind: 'response';
  status: number;
  /** How much of the response body was read, at most 16 KiB, without decompression. */
  bodyBytes: number;
  /** Unless the status is 2xx. */
  answer?: PostAnswer;
  timings: Timings;
}

/** The answer of a receiver, one character for each byte. */
export interface PostAnswer {
  /** The status line and the headers. */
  head: string;
  /** The first 2 KiB, without decompression. */
  body: string;
}

export interface PostFailure {
  kind: 'failure';
  reason: FailureReason;
  phase: Phase;
  /** The remedy, for the receiver's owner. */
  said: Said;
  timings: Timings;
}

export type PostResult = PostResponse | PostFailure;

/**
 * Posts once, through the guard. Errors of the URL, the network or the receiver are returned as named failures; it throws
 * only for our own errors, such as an invalid header.
 */
export function safePost(agent: WebhookAgent, post: Post | DraftedPost): Promise<PostResult> {
  return new Promise((resolve, reject) => new Exchange(agent, post, resolve, reject).start());
}

class Exchange implements PostWatcher, PendingPost {
  readonly #agent: WebhookAgent;
  readonly #post: Post | DraftedPost;
  readonly #resolve: (result: PostResult) => void;
  readonly #reject: (error: unknown) => void;
  readonly #timings: Timings = { dns: null, connect: null, tls: null, firstByte: null, total: 0 };
  #startedAt = performance.now();
  #phase: Phase = 'url';
  #phaseStartedAt = this.#startedAt;
  #target: Target | undefined;
  #connection: WebhookConnection | undefined;
  #isReused = false;
  #timer: NodeJS.Timeout | undefined;
  #isSecondTry = false;
  #isSettled = false;
  #status = 0;
  #bodyBytes = 0;
  #answer: PostAnswer | undefined;

  constructor(
    agent: WebhookAgent,
    post: Post | DraftedPost,
    resolve: (result: PostResult) => void,
    reject: (error: unknown) => void,
  ) {
    this.#agent = agent;
    this.#post = post;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(): void {
    const target = this.#agent.check(this.#post.url);
    if ('fault' in target) {
      this.#fail('url', sayOfField('URL', `url-${target.fault}`));
      return;
    }
    this.#target = target;
    this.#phase = 'firstByte';
    // As long as it is in progress, its socket keeps the process running.
    this.#timer = setTimeout(timeOut, this.#post.deadlineMs ?? DEADLINE_MS, this).unref();
    this.#agent.lendTo(this);
  }

  get target(): Target {
    return this.#target as Target;
  }

  begin(connection: WebhookConnection, hasWaited: boolean): void {
    const request = this.#isSettled ? undefined : this.#write();
    if (request === undefined) {
      this.#agent.giveBack(connection);
      return;
    }
    this.#phaseStartedAt = performance.now();
    // Only the receiver's time counts, not the wait for a connection.
    if (hasWaited) this.#startedAt = this.#phaseStartedAt;
    this.#connection = connection;
    this.#isReused = connection.isOpen;
    this.#phase = 'firstByte';
    connection.post(request, this);
  }

  /** Undefined if it cannot be written. */
  #write(): string | undefined {
    try {
      return writeRequest(this.target, 'write' in this.#post ? this.#post.write() : this.#post);
    } catch (error) {
      this.#stop();
      this.#reject(error);
      return undefined;
    }
  }

  onDial(): void {
    this.#isReused = false;
    this.#enter(this.#connection?.target.isLiteral ? 'connect' : 'dns');
  }

  onLookup(): void {
    this.#timings.dns = this.#enter('connect');
  }

  onConnect(): void {
    const isTls = this.#connection?.target.origin.startsWith('https:');
    this.#timings.connect = this.#enter(isTls ? 'tls' : 'firstByte');
  }

  onSecureConnect(): void {
    this.#timings.tls = this.#enter('firstByte');
  }

  onStatus(status: number, head: string): void {
    this.#timings.firstByte = this.#enter('body');
    this.#status = status;
    if (status < 200 || status >= 300) this.#answer = { head, body: '' };
  }

  onBody(bytes: number, text: string, at: number): void {
    if (this.#answer) {
      const wanted = Math.min(bytes, KEPT_BODY_BYTES - this.#answer.body.length);
      this.#answer.body += text.slice(at, at + wanted);
    }
    this.#bodyBytes = Math.min(this.#bodyBytes + bytes, MAX_BODY_BYTES);
    // The status is known, and the rest of the body is not needed.
    if (this.#bodyBytes === MAX_BODY_BYTES) this.#settle({ isWhole: false });
  }

  onEnd(): void {
    this.#settle({ isWhole: true });
  }

  onError(error: Error): void {
    if (this.#isSettled) return;
    const reason = nameFailure(error, this.#phase);
    // A kept connection may be closed just as it is reused; that says nothing about the receiver.
    if (this.#isReused && !this.#isSecondTry && this.#phase === 'firstByte' && reason === 'reset') {
      this.#isSecondTry = true;
      this.#agent.closeIdle();
      this.#agent.lendTo(this, { mayWait: false });
      return;
    }
    this.#fail(reason, sayFailure(reason, codeOf(error)));
  }

  timeOut(): void {
    this.#fail('timeout', say(`timeout.${this.#phase}`));
    this.#connection?.close();
  }

  #settle({ isWhole }: { isWhole: boolean }): void {
    if (this.#isSettled) return;
    const connection = this.#connection as WebhookConnection;
    const timings = this.#stop();
    connection.finish();
    // After an early response the receiver may never read the rest of the request, which the deadline no longer covers.
    if (isWhole && connection.isReusable)
      this.#agent.giveBack(connection, timings.firstByte ?? timings.total);
    else connection.close();
    this.#resolve({
      kind: 'response',
      status: this.#status,
      bodyBytes: this.#bodyBytes,
      ...(this.#answer && { answer: this.#answer }),
      timings,
    });
  }

  #fail(reason: FailureReason, said: Said): void {
    if (this.#isSettled) return;
    this.#resolve({ kind: 'failure', reason, phase: this.#phase, said, timings: this.#stop() });
  }

  /** Begins a phase and returns the duration of the previous one. */
  #enter(phase: Phase): number {
    const now = performance.now();
    const tookMs = now - this.#phaseStartedAt;
    this.#phase = phase;
    this.#phaseStartedAt = now;
    return toTenths(tookMs);
  }

  #stop(): Timings {
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#timings.total = toTenths(performance.now() - this.#startedAt);
    return this.#timings;
  }
}

function toTenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function timeOut(exchange: Exchange): void {
  exchange.timeOut();
}
