import type { WebhookConnection } from './connection.ts';
import { connectTo } from './connection.ts';
import type { Guard } from './guard.ts';
import { portOf } from './trusted-hosts.ts';
import { judgeUrl, literalAddress, type UrlFault } from './url.ts';

export interface AgentOptions {
  maxIdleSockets?: number;
  /** How long a connection stays open without a post. */
  idleMs?: number;
}

/** A judged URL, ready to be requested again and again. */
export interface Target {
  origin: string;
  path: string;
  host: string;
  port: number;
  isLiteral: boolean;
  /** What TLS is asked to prove; empty for an address. */
  servername: string;
  /** Of the latest TLS connection whose certificate was verified: the next one need not verify it again. */
  session: Buffer | undefined;
}

/**
 * The kept-alive connections of one application. A kept connection was judged when it was dialled; every new one is
 * judged again. Nothing waits here for a free one: the caller bounds how much it posts at once. Proxy variables have no
 * say: undici heeds them in its EnvHttpProxyAgent only.
 */
export class WebhookAgent implements Disposable {
  readonly #guard: Guard;
  readonly #maxIdle: number;
  readonly #idleMs: number;
  readonly #open = new Set<WebhookConnection>();
  /** The one that was used last is used next, so that those too many go idle and end. */
  #idle: WebhookConnection[] = [];
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

  /** A kept connection to the target, or one that is yet to be dialled. Give it back. */
  take(target: Target): WebhookConnection {
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
    connection.onEnd = () => {
      this.#open.delete(connection);
      this.#idle = this.#idle.filter((one) => one !== connection);
    };
    return connection;
  }

  giveBack(connection: WebhookConnection): void {
    if (this.#idle.length < this.#maxIdle && this.#open.has(connection)) this.#idle.push(connection);
    else connection.close();
  }

  /** After one kept connection proved dead the others are likely so. */
  closeIdle(): void {
    for (const connection of [...this.#idle]) connection.close();
  }

  [Symbol.dispose](): void {
    for (const connection of [...this.#open]) connection.close();
  }
}

export function createWebhookAgent(guard: Guard, options: AgentOptions = {}): WebhookAgent {
  return new WebhookAgent(guard, options);
}

function targetOf(url: URL): Target {
  const address = literalAddress(url.hostname);
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    host: address ?? url.hostname,
    port: portOf(url),
    isLiteral: address !== undefined,
    // RFC 6066 allows neither addresses nor a final dot.
    servername: address === undefined ? url.hostname.replace(/\.$/, '') : '',
    session: undefined,
  };
}
