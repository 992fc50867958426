import net from 'node:net';
import tls from 'node:tls';
import { isPublicAddress } from './address.ts';
import { AnswerReader, type AnswerWatcher } from './answer-reader.ts';
import { type Guard, Refusal } from './guard.ts';
import type { Target } from './target.ts';
import { isTrustedHost } from './trusted-hosts.ts';

/** A valid header line (RFC 9110, 5.1 and 5.5). */
const HEADER = /^[\w!#$%&'*+.^`|~-]+: [\t\x20-\x7e\x80-\xff]*$/;
/** Nothing is sent in the last second of a receiver's announced idle timeout. */
const LAST_SECOND_MS = 1_000;

/** Shared by all connections: its content is processed before anything else is read. */
const READ = Buffer.allocUnsafeSlow(64 * 1024);

export interface Message {
  /** Without Host, Content-Length and Connection, which are added. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** Notified of the phases of opening a connection; not called for a kept one. */
export interface DialWatcher {
  onDial(): void;
  onLookup(): void;
  onConnect(): void;
  onSecureConnect(): void;
}

/** Notified of the response to a post. */
export interface PostWatcher extends DialWatcher, AnswerWatcher {
  /** Called instead of the end of the response. */
  onError(error: Error): void;
}

/** The bytes of a request, one character each. @throws for an invalid header */
export function writeRequest({ authority, path }: Target, { headers, body }: Message): string {
  let request = `POST ${path} HTTP/1.1\r\nhost: ${authority}\r\nconnection: keep-alive\r\n`;
  for (const name in headers) {
    const line = `${name}: ${headers[name]}`;
    if (!HEADER.test(line)) throw new TypeError(`the header ${name} cannot be sent`);
    request += `${line}\r\n`;
  }
  return `${request}content-length: ${body.length}\r\n\r\n${body.toString('latin1')}`;
}

/**
 * One connection to a target, for one post at a time, over HTTP/1.1. Does less than a general-purpose client, which took a
 * quarter of the cost of a delivery (bench/RESULTS.md).
 */
export class WebhookConnection {
  target: Target;
  readonly #guard: Guard;
  readonly #idleMs: number;
  readonly #answers = new AnswerReader();
  #socket: net.Socket | undefined;
  #isReady = false;
  #watcher: PostWatcher | undefined;
  #unusedSince = 0;
  #idling: NodeJS.Timeout | undefined;
  /** Called once it can no longer be used. */
  onEnd = () => {};

  constructor(guard: Guard, target: Target, { idleMs }: { idleMs: number }) {
    this.#guard = guard;
    this.target = target;
    this.#idleMs = idleMs;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** Whether it can be used for another post: the response allows it, and the request has been written to the socket. */
  get isReusable(): boolean {
    return this.#answers.isReusable && this.#socket?.writableNeedDrain === false;
  }

  /** @param request from `writeRequest` */
  post(request: string, watcher: PostWatcher): void {
    this.#watcher = watcher;
    if (this.#isReady) this.#write(request);
    else this.#dial(watcher, request);
  }

  /** Call it when the post has been answered. */
  finish(): void {
    this.#watcher = undefined;
    this.#unusedSince = performance.now();
    this.#idling ??= setTimeout(() => this.#closeIdle(), this.#keptMs).unref();
  }

  close(): void {
    this.onEnd();
    this.#watcher = undefined;
    clearTimeout(this.#idling);
    this.#socket?.destroy();
  }

  #write(request: string): void {
    this.#answers.expect();
    this.#socket?.write(request, 'latin1');
  }

  #dial(watcher: PostWatcher, request: string): void {
    watcher.onDial();
    const socket = openSocket(this.#guard, this.target, (bytes) => this.#read(bytes));
    this.#socket = socket;
    socket.once('lookup', (error: Error | null) => {
      if (!error) watcher.onLookup();
    });
    socket.once('connect', () => watcher.onConnect());
    const readyEvent = socket instanceof tls.TLSSocket ? 'secureConnect' : 'connect';
    socket.once(readyEvent, () => {
      if (readyEvent === 'secureConnect') watcher.onSecureConnect();
      this.#isReady = true;
      if (this.#watcher) this.#write(request);
    });
    socket.on('error', (error) => this.#fail(error));
    socket.once('end', () => this.#hungUp());
    socket.once('close', () => this.#hungUp());
  }

  #read(bytes: number): void {
    try {
      // No response is expected.
      if (!this.#watcher) this.close();
      else this.#answers.read(READ.toString('latin1', 0, bytes), this.#watcher);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #hungUp(): void {
    if (this.#watcher && this.#answers.close(this.#watcher)) return;
    this.#fail(Object.assign(new Error('the receiver hung up'), { code: 'ECONNRESET' }));
  }

  #fail(error: Error): void {
    const watcher = this.#watcher;
    this.close();
    watcher?.onError(error);
  }

  /** How long it is kept open without a post. */
  get #keptMs(): number {
    const { idleSeconds } = this.#answers;
    return idleSeconds === undefined
      ? this.#idleMs
      : Math.max(0, Math.min(this.#idleMs, idleSeconds * 1_000 - LAST_SECOND_MS));
  }

  /** One timer for many posts: if there was a post in the meantime, it waits for the remaining time. */
  #closeIdle(): void {
    this.#idling = undefined;
    if (this.#watcher) return;
    const leftMs = this.#keptMs - (performance.now() - this.#unusedSince);
    if (leftMs <= 0) this.close();
    else this.#idling = setTimeout(() => this.#closeIdle(), leftMs).unref();
  }
}

/**
 * Connects to a checked URL; checks its addresses again and verifies the certificate.
 *
 * @param onRead called with the number of bytes in the shared buffer; without it the socket is read normally
 */
export function openSocket(guard: Guard, target: Target, onRead?: (bytes: number) => void): net.Socket {
  const connection = {
    ...checkedConnectOptions(guard, target),
    ...(onRead && {
      onread: {
        buffer: READ,
        callback: (bytes: number) => {
          onRead(bytes);
          return true;
        },
      },
    }),
  };
  if (!target.origin.startsWith('https:')) return net.connect(connection);
  const socket = tls.connect({
    ...connection,
    servername: target.servername,
    secureContext: guard.secureContext,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(target.session && { session: target.session }),
  });
  // A resumed session relies on the certificate verified when it began: only sessions of verified connections are kept.
  let latest: Buffer | undefined;
  socket.on('session', (session) => {
    latest = session;
    if (socket.authorized) target.session = session;
  });
  socket.once('secureConnect', () => {
    if (latest) target.session = latest;
  });
  return socket;
}

/** One checked lookup; Node connects to exactly these addresses in turn, and the name is still used for SNI and Host. */
function checkedConnectOptions(guard: Guard, { host, port }: Target): net.TcpNetConnectOpts {
  if (net.isIP(host) && !isPublicAddress(host) && !isTrustedHost(guard.trustedHosts, urlHost(host), port)) {
    throw new Refusal('private_address');
  }
  return {
    host,
    port,
    noDelay: true,
    keepAlive: true,
    autoSelectFamily: true,
    // Node's default of 250 ms gives up on distant receivers.
    autoSelectFamilyAttemptTimeout: 1000,
    lookup: (name, { all }, callback) => {
      guard.resolve(name, port).then(
        (addresses) => {
          if (all) callback(null, addresses);
          else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
        },
        (error: Error) => callback(error, []),
      );
    },
  };
}

function urlHost(address: string): string {
  return net.isIPv6(address) ? `[${address}]` : address;
}
