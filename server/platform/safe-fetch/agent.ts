import { WebhookConnection } from './connection.ts';
import type { Guard } from './guard.ts';
import { type Target, targetOf } from './target.ts';
import { checkUrl, type UrlFault } from './url.ts';

export interface AgentOptions {
  maxIdleSockets?: number;
  /** How long a connection stays open without a post. */
  idleMs?: number;
}

export interface PendingPost {
  readonly target: Target;
  /** Called with a kept connection, or one that is not connected yet, which must be given back. */
  begin(connection: WebhookConnection, hasWaited: boolean): void;
}

/** A new connection is opened if a post would wait longer than this for an existing one. */
const WAIT_TIMEOUT_MS = 20;
/** After this long without any answer, posts no longer wait for one. */
const SILENCE_MS = 100;
/** How long a fast answer counts as typical of its receiver. */
const PACE_KEPT_MS = 2_000;
const TELLING_ANSWERS = 8;

/**
 * The kept-alive connections of one application. The address of a kept connection was checked when it was opened; every new
 * one is checked again. The caller limits concurrent posts; the agent uses as few connections as the receiver's response
 * times allow. Proxy variables are ignored: undici reads them only in its EnvHttpProxyAgent.
 */
export class WebhookAgent implements Disposable {
  readonly #guard: Guard;
  readonly #maxIdle: number;
  readonly #idleMs: number;
  readonly #open = new Set<WebhookConnection>();
  readonly #untried = new Set<WebhookConnection>();
  /** Most recently used first, so that surplus connections become idle and close. */
  #idle: WebhookConnection[] = [];
  #waiting: PendingPost[] = [];
  #answeredAt = 0;
  #watch: NodeJS.Timeout | undefined;
  readonly #pace = new Pace();
  #latest: { text: string; target: Target } | undefined;

  constructor(guard: Guard, { maxIdleSockets = 16, idleMs = 30_000 }: AgentOptions = {}) {
    this.#guard = guard;
    this.#maxIdle = maxIdleSockets;
    this.#idleMs = idleMs;
  }

  /** The check depends only on the text, so the latest result is cached: an application has one URL. */
  check(text: string): Target | { fault: UrlFault } {
    if (this.#latest?.text === text) return this.#latest.target;
    const checked = checkUrl(text, this.#guard);
    if ('fault' in checked) return checked;
    const target = targetOf(checked.url);
    if (this.#latest?.target.origin !== target.origin) this.closeIdle();
    this.#latest = { text, target };
    return target;
  }

  /** The receiver's best response time; 0 until it is known. */
  get paceMs(): number {
    return this.#pace.ms;
  }

  /** Begins at once, or, if a connection is likely to be given back soon, when that happens. */
  lendTo(post: PendingPost, { mayWait = true } = {}): void {
    if (!mayWait || this.#idle.length > 0 || this.#needsAnother()) {
      post.begin(this.#connectionTo(post.target), false);
      return;
    }
    this.#waiting.push(post);
    this.#watch ??= setTimeout(() => this.#endSilence(), SILENCE_MS).unref();
  }

  /** @param answeredInMs how long the receiver took; undefined if nothing was sent */
  giveBack(connection: WebhookConnection, answeredInMs?: number): void {
    if (answeredInMs !== undefined) {
      this.#answeredAt = performance.now();
      this.#pace.note(answeredInMs, this.#answeredAt);
      this.#untried.delete(connection);
    }
    if (this.#idle.length < this.#maxIdle && this.#open.has(connection)) this.#idle.push(connection);
    else connection.close();
    this.#lendToNext();
  }

  /** After one kept connection turned out to be dead, the others probably are too. */
  closeIdle(): void {
    for (const connection of [...this.#idle]) connection.close();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#watch);
    while (this.#waiting.length > 0) this.#lendToNext();
    for (const connection of [...this.#open]) connection.close();
  }

  /** One connection without an answer so far is enough, unless the receiver is known to be slow. */
  #needsAnother(): boolean {
    const { size } = this.#open;
    const { ms } = this.#pace;
    if (size === 0 || ms > WAIT_TIMEOUT_MS) return true;
    return this.#untried.size === 0 && ((this.#waiting.length + 1) * ms) / size > WAIT_TIMEOUT_MS;
  }

  #lendToNext(): void {
    const next = this.#waiting.shift();
    next?.begin(this.#connectionTo(next.target), true);
  }

  #endSilence(): void {
    this.#watch = undefined;
    const isSilent = performance.now() - this.#answeredAt >= SILENCE_MS;
    while (isSilent && this.#waiting.length > 0) this.#lendToNext();
    if (this.#waiting.length > 0) this.#watch = setTimeout(() => this.#endSilence(), SILENCE_MS).unref();
  }

  #connectionTo(target: Target): WebhookConnection {
    for (let kept = this.#idle.pop(); kept; kept = this.#idle.pop()) {
      if (kept.target.origin !== target.origin) {
        kept.close();
        continue;
      }
      // The same receiver, possibly with a new path.
      kept.target = target;
      return kept;
    }
    const connection = new WebhookConnection(this.#guard, target, { idleMs: this.#idleMs });
    this.#open.add(connection);
    this.#untried.add(connection);
    connection.onEnd = () => {
      if (!this.#open.delete(connection)) return;
      this.#untried.delete(connection);
      this.#idle = this.#idle.filter((one) => one !== connection);
      this.#lendToNext();
    };
    return connection;
  }
}

/** A receiver's own response time: the fastest of its recent answers. */
class Pace {
  #before = Number.POSITIVE_INFINITY;
  #now = Number.POSITIVE_INFINITY;
  #since = 0;
  #answers = 0;

  /** 0 until there are enough answers: the first ones come from a cold start. */
  get ms(): number {
    return this.#answers < TELLING_ANSWERS ? 0 : Math.min(this.#before, this.#now);
  }

  note(ms: number, at: number): void {
    this.#answers++;
    if (at - this.#since > PACE_KEPT_MS) {
      this.#before = this.#now;
      this.#now = Number.POSITIVE_INFINITY;
      this.#since = at;
    }
    this.#now = Math.min(this.#now, ms);
  }
}
