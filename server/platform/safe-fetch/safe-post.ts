import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Target, WebhookAgent } from './agent.ts';
import { codeOf, FAILURES, type FailureReason, nameFailure, type Phase, timeoutMessage } from './failure.ts';
import { URL_FAULTS } from './url.ts';

const DEADLINE_MS = 10_000;
const MAX_BODY_BYTES = 16 * 1024;

export interface Post {
  url: string;
  /** Without Host, Content-Length and Connection, which are set here. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Over everything, from the lookup to the last byte of the answer. */
  deadlineMs?: number;
}

/** Milliseconds that each phase took; null for a phase that was not reached or not needed (a kept connection). */
export interface Timings {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  /** From the connection to the end of the answer's headers. */
  firstByte: number | null;
  total: number;
}

/** The receiver answered, whatever the status: redirects are not followed. */
export interface PostResponse {
  kind: 'response';
  status: number;
  /** How much of the answer's body was read, at most 16 KiB; nothing is decompressed. */
  bodyBytes: number;
  /** The header as it came. */
  retryAfter: string | null;
  timings: Timings;
}

export interface PostFailure {
  kind: 'failure';
  reason: FailureReason;
  phase: Phase;
  /** What the receiver's owner has to do. */
  message: string;
  timings: Timings;
}

export type PostResult = PostResponse | PostFailure;

/**
 * Posts once, under the guard. What the URL, the network or the receiver does wrong comes back as a named failure; it
 * throws for faults of ours only, such as a header that HTTP forbids.
 */
export function safePost(agent: WebhookAgent, post: Post): Promise<PostResult> {
  return new Promise((resolve, reject) => new Exchange(agent, post, resolve).start(reject));
}

class Exchange {
  readonly #agent: WebhookAgent;
  readonly #post: Post;
  readonly #resolve: (result: PostResult) => void;
  readonly #startedAt = performance.now();
  readonly #timings: Timings = { dns: null, connect: null, tls: null, firstByte: null, total: 0 };
  #phase: Phase = 'url';
  #phaseStartedAt = this.#startedAt;
  #request: ClientRequest | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isSecondTry = false;
  #isSettled = false;

  constructor(agent: WebhookAgent, post: Post, resolve: (result: PostResult) => void) {
    this.#agent = agent;
    this.#post = post;
    this.#resolve = resolve;
  }

  start(reject: (error: unknown) => void): void {
    const target = this.#agent.judge(this.#post.url);
    if ('fault' in target) {
      this.#fail('url', `The URL ${URL_FAULTS[target.fault]}.`);
      return;
    }
    this.#timer = setTimeout(() => this.#timeOut(), this.#post.deadlineMs ?? DEADLINE_MS);
    try {
      this.#send(target);
    } catch (error) {
      clearTimeout(this.#timer);
      reject(error);
    }
  }

  #send(target: Target): void {
    this.#enter(target.isLiteral ? 'connect' : 'dns');
    const { headers, body } = this.#post;
    const request = target.request({
      ...target.options,
      headers: { ...headers, 'content-length': String(body.length) },
    });
    this.#request = request;
    request.on('response', (response) => this.#read(response));
    request.on('error', (error) => this.#recover(error, request, target));
    // A receiver that switches protocols was not asked to.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      this.#fail('protocol', FAILURES.protocol);
    });
    if (request.reusedSocket) this.#enter('firstByte');
    else request.once('socket', (socket) => this.#follow(socket));
    request.end(body);
  }

  /** Watches a connection come about. */
  #follow(socket: Socket): void {
    socket.once('lookup', (error: Error | null) => {
      if (!error) this.#timings.dns = this.#enter('connect');
    });
    socket.once('connect', () => {
      this.#timings.connect = this.#enter('encrypted' in socket ? 'tls' : 'firstByte');
    });
    socket.once('secureConnect', () => {
      this.#timings.tls = this.#enter('firstByte');
    });
  }

  #read(response: IncomingMessage): void {
    this.#timings.firstByte = this.#enter('body');
    let bodyBytes = 0;
    const settle = () => {
      const retryAfter = response.headers['retry-after'] ?? null;
      const status = response.statusCode ?? 0;
      const timings = this.#stop();
      this.#resolve({ kind: 'response', status, bodyBytes, retryAfter, timings });
      // Answered early, and perhaps never to be read: the deadline no longer watches over the rest of the request.
      if (!this.#request?.writableFinished) this.#request?.destroy();
    };
    response.on('data', (chunk: Buffer) => {
      bodyBytes = Math.min(bodyBytes + chunk.length, MAX_BODY_BYTES);
      if (bodyBytes < MAX_BODY_BYTES || this.#isSettled) return;
      // The status has spoken, and the rest is not wanted.
      settle();
      response.destroy();
    });
    response.on('end', () => {
      if (!this.#isSettled) settle();
    });
    response.on('error', (error) => this.#failWith(error));
  }

  /** A kept connection may die just as it is used again; that says nothing about the receiver. */
  #recover(error: Error, request: ClientRequest, target: Target): void {
    const isStale =
      request.reusedSocket && this.#phase === 'firstByte' && nameFailure(error, 'firstByte') === 'reset';
    if (isStale && !this.#isSecondTry && !this.#isSettled) {
      this.#isSecondTry = true;
      this.#agent.closeIdle();
      this.#send(target);
    } else {
      this.#failWith(error);
    }
  }

  #timeOut(): void {
    this.#fail('timeout', timeoutMessage(this.#phase));
    this.#request?.destroy();
  }

  #failWith(error: unknown): void {
    const reason = nameFailure(error, this.#phase);
    const code = codeOf(error);
    this.#fail(reason, code ? `${FAILURES[reason]} (${code})` : FAILURES[reason]);
  }

  #fail(reason: FailureReason, message: string): void {
    if (this.#isSettled) return;
    this.#resolve({ kind: 'failure', reason, phase: this.#phase, message, timings: this.#stop() });
  }

  /** Begins a phase and tells how long the one before it took. */
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
