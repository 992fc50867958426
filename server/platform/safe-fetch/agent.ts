import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { isPublicAddress } from './address.ts';
import { type Guard, Refusal } from './guard.ts';
import { isTrustedHost, portOf } from './trusted-hosts.ts';
import { judgeUrl, literalAddress, type UrlFault } from './url.ts';

export interface AgentOptions {
  maxIdleSockets?: number;
  /** How long a connection stays open without a post. */
  idleMs?: number;
}

/** A judged URL, ready to be requested again and again. */
export interface Target {
  request: typeof https.request;
  options: https.RequestOptions & { host: string; port: number };
  isLiteral: boolean;
}

const MAX_HEADER_BYTES = 16 * 1024;

/**
 * The kept-alive connections of one application. A kept connection was judged when it was dialled; every new one is
 * judged again. Nothing waits here for a free one: the caller bounds how much it posts at once. Proxy variables have no say: node heeds them in its global agents only.
 */
export class WebhookAgent implements Disposable {
  readonly #guard: Guard;
  readonly #https: https.Agent;
  readonly #http: http.Agent;
  #latest: { text: string; target: Target } | undefined;

  constructor(guard: Guard, { maxIdleSockets = 16, idleMs = 30_000 }: AgentOptions) {
    const options = { keepAlive: true, maxFreeSockets: maxIdleSockets, timeout: idleMs };
    this.#guard = guard;
    this.#https = new GuardedHttpsAgent(guard, options);
    this.#http = new TrustedHttpAgent(guard, options);
  }

  /** Judging depends on nothing but the text, so the latest answer is kept: an application has one URL. */
  judge(text: string): Target | { fault: UrlFault } {
    if (this.#latest?.text === text) return this.#latest.target;
    const judged = judgeUrl(text, this.#guard);
    if ('fault' in judged) return judged;
    const target = this.#target(judged.url);
    this.#latest = { text, target };
    return target;
  }

  /** After one kept connection proved dead the others are likely so. */
  closeIdle(): void {
    for (const agent of [this.#https, this.#http]) {
      for (const sockets of Object.values(agent.freeSockets)) {
        for (const socket of sockets ?? []) socket.destroy();
      }
    }
  }

  [Symbol.dispose](): void {
    this.#https.destroy();
    this.#http.destroy();
  }

  #target(url: URL): Target {
    const address = literalAddress(url.hostname);
    const isTls = url.protocol === 'https:';
    return {
      request: isTls ? https.request : http.request,
      isLiteral: address !== undefined,
      options: {
        method: 'POST',
        protocol: url.protocol,
        host: address ?? url.hostname,
        port: portOf(url),
        path: url.pathname + url.search,
        // RFC 6066 allows neither addresses nor a final dot.
        servername: address === undefined ? url.hostname.replace(/\.$/, '') : '',
        agent: isTls ? this.#https : this.#http,
        maxHeaderSize: MAX_HEADER_BYTES,
        insecureHTTPParser: false,
      },
    };
  }
}

export function createWebhookAgent(guard: Guard, options: AgentOptions = {}): WebhookAgent {
  return new WebhookAgent(guard, options);
}

/** What an agent of node hands over when it wants a connection. */
interface Destination {
  host?: string | null | undefined;
  port?: string | number | null | undefined;
  servername?: string | undefined;
}

class GuardedHttpsAgent extends https.Agent {
  readonly #guard: Guard;

  constructor(guard: Guard, options: https.AgentOptions) {
    super(options);
    this.#guard = guard;
  }

  // Node's own name lists two dozen TLS options that never differ here.
  override getName(to: Destination = {}): string {
    return `${to.host}:${to.port}`;
  }

  override createConnection(to: Destination) {
    return tls.connect({
      ...judgedConnection(this.#guard, to),
      servername: to.servername ?? '',
      secureContext: this.#guard.secureContext,
      // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED changes nothing.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    });
  }
}

class TrustedHttpAgent extends http.Agent {
  readonly #guard: Guard;

  constructor(guard: Guard, options: http.AgentOptions) {
    super(options);
    this.#guard = guard;
  }

  override createConnection(to: Destination) {
    return net.connect(judgedConnection(this.#guard, to));
  }
}

/** One lookup, judged; node dials these very addresses, one after another, while the name stays for SNI and Host. */
function judgedConnection(guard: Guard, to: Destination): net.TcpNetConnectOpts {
  const host = to.host ?? '';
  const port = Number(to.port);
  if (net.isIP(host) && !isPublicAddress(host) && !isTrustedHost(guard.trustedHosts, urlHost(host), port)) {
    throw new Refusal('private_address');
  }
  return {
    host,
    port,
    noDelay: true,
    keepAlive: true,
    autoSelectFamily: true,
    // Node's default of 250 ms gives up on receivers that are merely far away.
    autoSelectFamilyAttemptTimeout: 1000,
    lookup: (name, { all }, callback) => {
      guard.resolve(name, port).then(
        // In a later tick, so that whoever made the request has its socket by then and hears how it goes on.
        (addresses) => {
          if (all) process.nextTick(callback, null, addresses);
          else process.nextTick(callback, null, addresses[0]?.address, addresses[0]?.family);
        },
        (error: Error) => process.nextTick(callback, error, []),
      );
    },
  };
}

function urlHost(address: string): string {
  return net.isIPv6(address) ? `[${address}]` : address;
}
