import { connectTo, type WebhookConnection } from './connection.ts';
import type { Guard } from './guard.ts';
import { type Target, targetOf } from './target.ts';
import { judgeUrl, type UrlFault } from './url.ts';

export interface AgentOptions {
  maxIdleSockets?: number;
  /** How long a connection stays open without a post. */
  idleMs?: number;
}

/** One who wants to post. */
export interface Borrower {
  readonly target: Target;
  /** Gets a kept connection, or one that is yet to be dialled. To be given back. */
  begin(connection: WebhookConnection, hasWaited: boolean): void;
}

/** Another connection is dialled rather than have a post wait longer than this for one of those there are. */
const WAIT_TIMEOUT_MS = 20;
/** Without any answer for so long, nobody waits for one any more. */
const SILENCE_MS = 100;
/** For how long a quick answer speaks for its receiver. */
const PACE_KEPT_MS = 2_000;
const TELLING_ANSWERS = 8;

/**
 * The kept-alive connections of one application. A kept connection was judged when it was dialled; every new one is
 * judged again. The caller bounds how much it posts at once; here it is spread over as few connections as the receiver's
 * answers allow. Proxy variables have no say: undici heeds them in its EnvHttpProxyAgent only.
 */
export class WebhookAgent implements Disposable {
  readonly #guard: Guard;
  readonly #maxIdle: number;
  readonly #idleMs: number;
  readonly #open = new Set<WebhookConnection>();
  readonly #untried = new Set<WebhookConnection>();
  /** The one that was used last is used next, so that those too many go idle and end. */
  #idle: WebhookConnection[] = [];
  #waiting: Borrower[] = [];
  #answeredAt = 0;
  #watch: NodeJS.Timeout | undefined;
  readonly #pace = new Pace();
  #latest: { text: string; target: Target } | undefined;

  constructor(guard: Guard, { maxIdleSockets = 16, idleMs = 30_000 }: AgentOptions) {
    this.#guard = guard;
    this.#maxIdle = maxIdleSockets;
    this.#idleMs = idleMs;
  }

  /** Judging depends on nothing but the text, so the latest answer is kept: an application has one URL. */
  judge(text: string): Target | { fault: UrlFault } {
    if (this.#latest?.text === text) return this.#latest.target;
    const judged = judgeUrl(text, this.#guard);
    if ('fault' in judged) return judged;
    const target = targetOf(judged.url);
    if (this.#latest?.target.origin !== target.origin) this.closeIdle();
    this.#latest = { text, target };
    return target;
  }

  /** How long the receiver takes to answer at its best; 0 until that is known. */
  get paceMs(): number {
    return this.#pace.ms;
  }

  /** Begins at once, or as soon as a connection is given back if that is likely to be soon. */
  lendTo(borrower: Borrower, { mayWait = true } = {}): void {
    if (!mayWait || this.#idle.length > 0 || this.#needsAnother()) {
      borrower.begin(this.#connectionTo(borrower.target), false);
      return;
    }
    this.#waiting.push(borrower);
    this.#watch ??= setTimeout(() => this.#endSilence(), SILENCE_MS).unref();
  }

  /** @param answeredInMs how long the receiver took; missing when it was not asked */
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

  /** After one kept connection proved dead the others are likely so. */
  closeIdle(): void {
    for (const connection of [...this.#idle]) connection.close();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#watch);
    while (this.#waiting.length > 0) this.#lendToNext();
    for (const connection of [...this.#open]) connection.close();
  }

  /** Of connections that have not answered yet one is enough, unless the receiver is known to be slow. */
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
      // The same receiver, which may have got another path since.
      kept.target = target;
      return kept;
    }
    const connection = connectTo(this.#guard, target, { idleMs: this.#idleMs });
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

/** How long a receiver takes when nothing else keeps us: the quickest of its recent answers. */
class Pace {
  #before = Number.POSITIVE_INFINITY;
  #now = Number.POSITIVE_INFINITY;
  #since = 0;
  #answers = 0;

  /** Nothing until enough is known: the first answers come while everything is still cold. */
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

export function createWebhookAgent(guard: Guard, options: AgentOptions = {}): WebhookAgent {
  return new WebhookAgent(guard, options);
}
