import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    openStreams: OpenStreams;
  }
}

const TICK_MS = 1_000;
/** So many ticks lie between two heartbeats of a stream. */
const TURNS = 20;
const MAX_UNREAD_BYTES = 1024 * 1024;

/** Callbacks of the owner of a stream. A stream outlives its request by days, so nothing of the request belongs in here. */
export interface StreamOwner {
  /** Called once, however the stream ends. */
  onClose(): void;
  /** Asked at each heartbeat, of many streams at the same time: a stream whose credential has ended ends with it. */
  isAllowed(): Promise<boolean>;
}

/** One open connection of server-sent events. */
export class EventStream {
  readonly #raw: ServerResponse;
  readonly #owner: StreamOwner;

  constructor(raw: ServerResponse, owner: StreamOwner) {
    this.#raw = raw;
    this.#owner = owner;
  }

  /** A reader that falls a megabyte behind is cut off: it connects again and reads the history. */
  send({ type, data, id }: { type: string; data: unknown; id?: string }): void {
    const raw = this.#raw;
    if (raw.writableEnded) return;
    raw.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
  }

  /** Says where the stream is, without an event: what a reader that is cut off now brings back as `Last-Event-ID`. */
  mark(id: string): void {
    if (!this.#raw.writableEnded) this.#raw.write(`id: ${id}\n\n`);
  }

  /** The same for data whose bytes must not change: one line of text. Resolves when the reader keeps up. */
  async sendText({ type, text, id }: { type: string; text: string; id: string }): Promise<void> {
    const raw = this.#raw;
    if (raw.writableEnded || raw.destroyed) return;
    const isKeepingUp = raw.write(`id: ${id}\nevent: ${type}\ndata: ${text}\n\n`);
    if (!isKeepingUp) await drainedOrClosed(raw);
  }

  /** Ends the stream if its credential has ended. */
  async check(): Promise<void> {
    // A database that is away says nothing about the credential.
    const isStillAllowed = await this.#owner.isAllowed().catch(() => true);
    if (!isStillAllowed) this.close();
  }

  async beat(): Promise<void> {
    await this.check();
    if (!this.#raw.writableEnded) this.#raw.write(':\n\n');
  }

  /** The connection goes too: kept alive after its answer, it would hold up a server that closes. */
  close(): void {
    const { socket } = this.#raw;
    this.#raw.end(() => socket?.destroySoon());
  }
}

/**
 * The open streams of one server. Each tick is the turn of a part of them, so that ten thousand neither beat all at once
 * nor have a timer each, and those of a turn check their credentials in one batch.
 */
export class OpenStreams {
  readonly #turns = Array.from({ length: TURNS }, () => new Set<EventStream>());
  #now = 0;
  #isClosed = false;

  /** Returns the turn in which it stands, of which it is to be deleted. Its first beat is a whole round away. */
  add(stream: EventStream): Set<EventStream> {
    if (this.#isClosed) stream.close();
    return this.#turn().add(stream);
  }

  async beat(): Promise<void> {
    this.#now = (this.#now + 1) % TURNS;
    await Promise.all([...this.#turn()].map((stream) => stream.beat()));
  }

  /** Those that begin from now on end at once. */
  closeAll(): void {
    this.#isClosed = true;
    for (const turn of this.#turns) for (const stream of turn) stream.close();
  }

  #turn(): Set<EventStream> {
    return this.#turns[this.#now] as Set<EventStream>;
  }
}

/** Lets an application open streams. When it closes it ends them first; who listens connects again, elsewhere maybe. */
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

/** Turns an answer into a stream of server-sent events, of which Fastify holds nothing any more. */
export function openEventStream(reply: FastifyReply, owner: StreamOwner): EventStream {
  const { raw, request, server } = reply;
  reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no').hijack();
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  // Sent by itself the head becomes one flat string; Node keeps it as long as the answer lasts.
  raw.flushHeaders();
  raw.write(': connected\n\n');
  const stream = new EventStream(raw, owner);
  const turn = server.openStreams.add(stream);
  raw.on('close', () => {
    turn.delete(stream);
    owner.onClose();
  });
  leaveFastify(raw, request.raw);
  // Who asks for the head only has it, and may use the connection for something else.
  if (request.method === 'HEAD') stream.close();
  return stream;
}

/**
 * Fastify runs its onResponse hooks when an answer has ended, and holds request and reply until then. For a stream they
 * run when it begins: its end tells nothing of the request. Fastify's listener is the one that hears of the end and of an
 * error alike.
 */
function leaveFastify(raw: ServerResponse, request: IncomingMessage): void {
  const failed = raw.listeners('error');
  for (const listener of raw.listeners('finish')) if (failed.includes(listener)) listener.call(raw);
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
