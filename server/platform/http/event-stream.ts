import type { FastifyReply } from 'fastify';

const HEARTBEAT_MS = 20_000;
const MAX_UNREAD_BYTES = 1024 * 1024;

/** One open connection of server-sent events. */
export interface EventStream {
  send(event: { type: string; data: unknown; id?: string }): void;
  close(): void;
}

export interface EventStreamOptions {
  /** Called once, however the stream ends. */
  onClose: () => void;
  /** Asked at each heartbeat: a stream whose credential has ended ends with it. */
  isAllowed: () => Promise<boolean>;
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
  const beat = async () => {
    // A database that is away says nothing about the credential.
    if (await isAllowed().catch(() => true)) raw.write(':\n\n');
    else raw.end();
  };
  const heartbeat = setInterval(beat, HEARTBEAT_MS);
  raw.once('close', () => {
    clearInterval(heartbeat);
    onClose();
  });
  return {
    send({ type, data, id }) {
      if (raw.writableEnded) return;
      raw.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
      if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
    },
    close() {
      raw.end();
    },
  };
}
