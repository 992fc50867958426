import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { runOnResponseHooks } from './disconnects.ts';

declare module 'fastify' {
  interface FastifyInstance {
    openStreams: OpenStreams;
  }
}

const TICK_MS = 1_000;
/** The number of ticks between two heartbeats of a stream. */
const TURNS = 20;
const MAX_UNREAD_BYTES = 1024 * 1024;

/**
 * Callbacks of the owner of a stream. A stream outlives its request by days, so these must not retain anything of the
 * request.
 */
export interface StreamOwner {
  /** Called once, however the stream ends. */
  onClose(): void;
  /** Called at each heartbeat, for many streams at once: a stream ends when its credential is no longer valid. */
  isAllowed(): Promise<boolean>;
}

export class EventStream {
  readonly #raw: ServerResponse;
  readonly #owner: StreamOwner;

  constructor(raw: ServerResponse, owner: StreamOwner) {
    this.#raw = raw;
    this.#owner = owner;
  }

  /** A reader that falls a megabyte behind is disconnected: it reconnects and reads the history. */
  send({ type, data, id }: { type: string; data: unknown; id?: string }): void {
    const raw = this.#raw;
    if (raw.writableEnded) return;
    raw.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${textOf(data)}\n\n`);
    if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
  }

  /**
   * Sends the position of the stream without an event, as the `Last-Event-ID` for a reader that reconnects.
   */
  mark(id: string): void {
    if (!this.#raw.writableEnded) this.#raw.write(`id: ${id}\n\n`);
  }

  /** The same for data that must be sent byte for byte: one line of text. Resolves when the reader keeps up. */
  async sendText({ type, text, id }: { type: string; text: string; id: string }): Promise<void> {
    const raw = this.#raw;
    if (raw.writableEnded || raw.destroyed) return;
    const isKeepingUp = raw.write(`id: ${id}\nevent: ${type}\ndata: ${text}\n\n`);
    if (!isKeepingUp) await drainedOrClosed(raw);
  }

  /** Ends the stream if its credential is no longer valid. */
  async check(): Promise<void> {
    // An unreachable database says nothing about the credential.
    const isStillAllowed = await this.#owner.isAllowed().catch(() => true);
    if (!isStillAllowed) this.close();
  }

  async beat(): Promise<void> {
    await this.check();
    if (!this.#raw.writableEnded) this.#raw.write(':\n\n');
  }

  /** Closes the connection too: kept alive, it would delay the server's shutdown. */
  close(): void {
    const { socket } = this.#raw;
    this.#raw.end(() => socket?.destroySoon());
  }
}

let latest: { data: unknown; text: string } = { data: undefined, text: '' };

/** An event goes to many streams one after another, and is serialized once. */
function textOf(data: unknown): string {
  if (data !== latest.data) latest = { data, text: JSON.stringify(data) };
  return latest.text;
}

/**
 * The open streams of one server. Each tick handles a part of them, so that ten thousand streams neither send heartbeats all
 * at once nor need a timer each, and the streams of a tick check their credentials in one batch.
 */
export class OpenStreams {
  readonly #turns = Array.from({ length: TURNS }, () => new Set<EventStream>());
  #now = 0;
  #isClosed = false;

  /** Returns the set from which the stream has to be deleted. Its first heartbeat comes after a full round. */
  add(stream: EventStream): Set<EventStream> {
    if (this.#isClosed) stream.close();
    return this.#turn().add(stream);
  }

  async beat(): Promise<void> {
    this.#now = (this.#now + 1) % TURNS;
    await Promise.all([...this.#turn()].map((stream) => stream.beat()));
  }

  /** New streams end at once. */
  closeAll(): void {
    this.#isClosed = true;
    for (const turn of this.#turns) for (const stream of turn) stream.close();
  }

  #turn(): Set<EventStream> {
    return this.#turns[this.#now] as Set<EventStream>;
  }
}

/**
 * Lets an application open streams. When it closes it ends them first, and clients reconnect, possibly to another server.
 */
export function keepStreams(app: FastifyInstance): void {
  const open = new OpenStreams();
  app.decorate('openStreams', open);
  const ticking = setInterval(() => void open.beat(), TICK_MS).unref();
  app.addHook('preClose', (done) => {
    open.closeAll();
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(ticking);
    done();
  });
}

/** Turns a response into a stream of server-sent events, detached from Fastify. */
export function openEventStream(reply: FastifyReply, owner: StreamOwner): EventStream {
  const { raw, request, server } = reply;
  reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no').hijack();
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  // Sent separately, the head becomes one flat string, which Node retains for the duration of the response.
  raw.flushHeaders();
  raw.write(': connected\n\n');
  const stream = new EventStream(raw, owner);
  const turn = server.openStreams.add(stream);
  raw.on('close', () => {
    turn.delete(stream);
    owner.onClose();
  });
  leaveFastify(raw, request.raw);
  // A HEAD request is complete, and its connection can be reused.
  if (request.method === 'HEAD') stream.close();
  return stream;
}

/**
 * Fastify runs its onResponse hooks when a response has ended, and retains request and reply until then. For a stream the
 * hooks run when it begins, since its end says nothing about the request.
 */
function leaveFastify(raw: ServerResponse, request: IncomingMessage): void {
  runOnResponseHooks(raw);
  // An error closes the stream.
  raw.on('error', ignore);
  request.headers = {};
  request.rawHeaders = [];
}

function ignore(): void {}

function drainedOrClosed(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      raw.off('drain', end).off('close', end);
      resolve();
    };
    raw.on('drain', end).on('close', end);
  });
}
