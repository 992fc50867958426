import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';

const HEARTBEAT_MS = 20_000;
const MAX_UNREAD_BYTES = 1024 * 1024;

/** One open connection of server-sent events. */
export interface EventStream {
  send(event: { type: string; data: unknown; id?: string }): void;
  /** Says where the stream is, without an event: what a reader that is cut off now brings back as `Last-Event-ID`. */
  mark(id: string): void;
  /** The same for data whose bytes must not change: one line of text. Resolves when the reader keeps up. */
  sendText(event: { type: string; text: string; id: string }): Promise<void>;
  close(): void;
}

export interface EventStreamOptions {
  /** Called once, however the stream ends. */
  onClose: () => void;
  /** Asked at each heartbeat: a stream whose credential has ended ends with it. */
  isAllowed: () => Promise<boolean>;
}

/** Open streams of each server, which would keep it from closing. */
const OPEN = new WeakMap<object, Set<ServerResponse>>();

/** A server that closes ends its streams first; who listens connects again, elsewhere maybe. */
export function endStreamsOnClose(app: FastifyInstance): void {
  app.addHook('preClose', (done) => {
    // Kept alive after its answer, the connection would hold the server up like any idle one.
    for (const raw of OPEN.get(app.server) ?? []) raw.end(() => raw.socket?.destroySoon());
    done();
  });
}

/**
 * Turns an answer into a stream of server-sent events. A reader that falls a megabyte behind is cut off: it connects
 * again and reads the history.
 */
export function openEventStream(
  reply: FastifyReply,
  { onClose, isAllowed }: EventStreamOptions,
): EventStream {
  reply.hijack();
  const { raw } = reply;
  const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200);
  raw.write(': connected\n\n');
  const open = OPEN.get(reply.server.server) ?? new Set();
  OPEN.set(reply.server.server, open.add(raw));
  const beat = async () => {
    // A database that is away says nothing about the credential.
    const isStillAllowed = await isAllowed().catch(() => true);
    if (raw.writableEnded) return;
    if (isStillAllowed) raw.write(':\n\n');
    else raw.end();
  };
  const heartbeat = setInterval(beat, HEARTBEAT_MS);
  raw.once('close', () => {
    open.delete(raw);
    clearInterval(heartbeat);
    onClose();
  });
  return {
    send({ type, data, id }) {
      if (raw.writableEnded) return;
      raw.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
      if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
    },
    mark(id) {
      raw.write(`id: ${id}\n\n`);
    },
    async sendText({ type, text, id }) {
      if (raw.writableEnded || raw.destroyed) return;
      const isKeepingUp = raw.write(`id: ${id}\nevent: ${type}\ndata: ${text}\n\n`);
      if (!isKeepingUp) await drainedOrClosed(raw);
    },
    close() {
      raw.end();
    },
  };
}

function drainedOrClosed(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      raw.off('drain', end).off('close', end);
      resolve();
    };
    raw.on('drain', end).on('close', end);
  });
}
