import net from 'node:net';
import tls from 'node:tls';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { isPublicAddress } from './address.ts';
import { type Guard, Refusal } from './guard.ts';
import type { Target } from './target.ts';
import { isTrustedHost } from './trusted-hosts.ts';

const MAX_HEADER_BYTES = 16 * 1024;
const CONTINUE = /^HTTP\/1\.1 100 [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/;

/** The request to send. */
export interface Message {
  /** Without Host, Content-Length and Connection, which are set here. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** Told how a connection comes about; not at all when it is a kept one. */
export interface DialWatcher {
  onDial(): void;
  onLookup(): void;
  onConnect(): void;
  onSecureConnect(): void;
}

/** One connection to a target, for one post at a time: undici's client for HTTP/1.1 over sockets that we dial. */
export class WebhookConnection {
  target: Target;
  readonly #guard: Guard;
  readonly #client: Client;
  #socket: net.Socket | undefined;
  #watcher: DialWatcher | undefined;
  #isBusy = false;
  #hasAnswer = false;
  /** Called once it is of no more use. */
  onEnd = () => {};

  constructor(guard: Guard, target: Target, { idleMs }: { idleMs: number }) {
    this.#guard = guard;
    this.target = target;
    this.#client = new Client(target.origin, {
      connect: (_, callback) => this.#dial(callback),
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      // The caller's deadline is over everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#client.on('disconnect', () => {
      if (!this.#isBusy) this.close();
    });
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** Whether more of the request is waiting to be sent than a socket takes at once. */
  get isStuck(): boolean {
    return this.#socket?.writableNeedDrain ?? false;
  }

  post({ headers, body }: Message, handler: Dispatcher.DispatchHandler & DialWatcher): void {
    this.#isBusy = true;
    this.#hasAnswer = false;
    this.#watcher = handler;
    this.#client.dispatch({ method: 'POST', path: this.target.path, headers, body }, handler);
  }

  /** The post has its answer. */
  finish(): void {
    this.#isBusy = false;
    this.#watcher = undefined;
  }

  close(): void {
    this.onEnd();
    this.#watcher = undefined;
    // The client does not hold a socket that is still connecting.
    this.#socket?.destroy();
    this.#client.destroy().catch(() => {});
  }

  #dial(callback: buildConnector.Callback): void {
    const watcher = this.#watcher;
    watcher?.onDial();
    const socket = openSocket(this.#guard, this.target);
    this.#socket = socket;
    socket.once('lookup', (error: Error | null) => {
      if (!error) watcher?.onLookup();
    });
    socket.once('connect', () => watcher?.onConnect());
    socket.once('error', (error) => {
      callback(error, null);
    });
    const readyEvent = socket instanceof tls.TLSSocket ? 'secureConnect' : 'connect';
    socket.once(readyEvent, () => {
      if (readyEvent === 'secureConnect') watcher?.onSecureConnect();
      this.#discardContinue(socket);
      callback(null, socket);
    });
  }

  /**
   * A receiver may say `100 Continue` without being asked (RFC 9110, 15.2), which undici takes for a fault. Such a
   * message comes by itself, before the answer; where it does not, the fault stays one.
   */
  #discardContinue(socket: net.Socket): void {
    const read = socket.read.bind(socket);
    socket.read = (size?: number) => {
      let chunk = read(size);
      while (chunk && !this.#hasAnswer) {
        chunk = withoutContinue(chunk);
        this.#hasAnswer = chunk.length > 0;
        if (!this.#hasAnswer) chunk = read(size);
      }
      return chunk;
    };
  }
}

export function connectTo(guard: Guard, target: Target, options: { idleMs: number }): WebhookConnection {
  return new WebhookConnection(guard, target, options);
}

function withoutContinue(chunk: Buffer): Buffer {
  if (chunk.toString('latin1', 9, 12) !== '100') return chunk;
  let text = chunk.toString('latin1');
  for (let head = CONTINUE.exec(text); head; head = CONTINUE.exec(text)) text = text.slice(head[0].length);
  return chunk.subarray(chunk.length - text.length);
}

function openSocket(guard: Guard, target: Target): net.Socket {
  const connection = judgedConnection(guard, target);
  if (!target.origin.startsWith('https:')) return net.connect(connection);
  const socket = tls.connect({
    ...connection,
    servername: target.servername,
    secureContext: guard.secureContext,
    // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED changes nothing.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(target.session && { session: target.session }),
  });
  // A session stands for the certificate that was verified when it began, so that no other is kept.
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

/** One lookup, judged; node dials these very addresses, one after another, while the name stays for SNI and Host. */
function judgedConnection(guard: Guard, { host, port }: Target): net.TcpNetConnectOpts {
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
