import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createChance } from '../chance.ts';

/** After a broken connection, and after a refusal that names no time. */
const RETRY_MS = 1_000;
/** Longer than any statement may take. */
const LONGEST_MS = 40_000;

/** What a client asks for, again and again. */
export interface Wish {
  kind: 'page' | 'send' | 'group' | 'webhook';
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: object;
}

export interface Answer {
  kind: Wish['kind'];
  /** Since the load began. */
  atMs: number;
  tookMs: number;
  /** 0 for a broken connection. */
  status: number;
  /** Of a message. */
  msgId?: string | undefined;
}

export interface Load {
  connections: number;
  /** Of how long each client waits before its first request and after refusals. */
  seed: number;
  /** All connections together; as many as they can carry unless given. */
  perSecond?: number;
  signal: AbortSignal;
}

/**
 * Clients with a connection each, which wait for every answer, and after a refusal as long as it asks for. They need little
 * CPU time, since they share the machine with the server. Resolves once each has its last answer.
 */
export async function ask(origin: string, wishes: readonly Wish[], load: Load): Promise<Answer[]> {
  const begun = performance.now();
  const answers: Answer[] = [];
  const port = Number(new URL(origin).port);
  const clients = Array.from({ length: load.connections }, async (_, i) => {
    const { fraction } = createChance(`${load.seed} ${i}`);
    // However many there are, they ask for the same mix.
    const wish = wishes[Math.floor((i * wishes.length) / load.connections)] as Wish;
    const text = toRequest(origin, wish);
    const everyMs = load.perSecond ? (load.connections / load.perSecond) * 1000 : 0;
    let connection = new Connection(port);
    await pauseUnlessStopped(fraction() * everyMs, load.signal);
    while (!load.signal.aborted) {
      const askedAt = performance.now();
      const { status, retryAfterMs, msgId } = await connection.ask(text);
      const tookMs = performance.now() - askedAt;
      answers.push({ kind: wish.kind, atMs: askedAt - begun, tookMs, status, msgId });
      if (status === 0) {
        connection.close();
        connection = new Connection(port);
      }
      const isRefused = status === 0 || status === 503;
      // Not all at the same moment.
      const waitMs = isRefused ? retryAfterMs * (1 + fraction() / 2) : everyMs - tookMs;
      if (waitMs > 0) await pauseUnlessStopped(waitMs, load.signal);
    }
    connection.close();
  });
  await Promise.all(clients);
  return answers;
}

/** The same in a thread of its own: the delay of this one is not the server's. */
export async function askApart(origin: string, wishes: readonly Wish[], load: Load): Promise<Answer[]> {
  const { signal, ...rest } = load;
  const worker = new Worker(new URL(import.meta.url), { workerData: { origin, wishes, load: rest } });
  signal.addEventListener('abort', () => worker.postMessage('stop'));
  const [answers] = await once(worker, 'message');
  return answers;
}

function toRequest(origin: string, { method, path, headers, body }: Wish): string {
  const text = body ? JSON.stringify(body) : '';
  const all = {
    host: new URL(origin).host,
    ...headers,
    ...(body && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}

interface Received {
  status: number;
  retryAfterMs: number;
  msgId?: string | undefined;
}

const BROKEN: Received = { status: 0, retryAfterMs: RETRY_MS };

class Connection {
  readonly #socket: Socket;
  #received = '';
  #resolve: ((received: Received) => void) | undefined;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1');
    this.#socket.on('data', (chunk) => this.#read(String(chunk)));
    this.#socket.on('timeout', () => this.#socket.destroy());
    this.#socket.on('error', () => this.#end(BROKEN));
    this.#socket.on('close', () => this.#end(BROKEN));
  }

  ask(text: string): Promise<Received> {
    if (this.#socket.destroyed) return Promise.resolve(BROKEN);
    return new Promise((resolve) => {
      this.#resolve = resolve;
      // Not while it waits to return, which may take as long.
      this.#socket.setTimeout(LONGEST_MS).write(text);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: string): void {
    this.#received += chunk;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.slice(0, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
    if (this.#received.length < end + 4 + length) return;
    const msgId = /"msgId":"(\w+)"/.exec(this.#received.slice(end + 4))?.[1];
    this.#received = '';
    const retryAfter = /^retry-after: (\d+)/im.exec(head)?.[1];
    this.#end({
      status: Number(head.slice(9, 12)),
      retryAfterMs: retryAfter === undefined ? RETRY_MS : Number(retryAfter) * 1000,
      msgId,
    });
  }

  #end(received: Received): void {
    this.#socket.setTimeout(0);
    this.#resolve?.(received);
    this.#resolve = undefined;
  }
}

async function pauseUnlessStopped(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {});
}

if (!isMainThread && parentPort) {
  const stop = new AbortController();
  parentPort.once('message', () => stop.abort());
  const { origin, wishes, load } = workerData;
  parentPort.postMessage(await ask(origin, wishes, { ...load, signal: stop.signal }));
}
