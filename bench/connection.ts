import { connect, type Socket } from 'node:net';

const READ_BYTES = 16 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * One keep-alive connection of HTTP/1.1 that asks, waits for the answer, and asks again. What it sends are bytes that
 * were made before, and of an answer it reads no more than it must: on a machine that serves and asks, whatever the
 * asking costs is missing from what is measured.
 */
export class LoadConnection {
  readonly #socket: Socket;
  /** What has arrived of an answer that is not whole. */
  #arrived: Buffer | undefined;
  #answered: ((answer: Answer) => void) | undefined;

  constructor(url: string, { onBroken }: { onBroken: () => void }) {
    const { hostname, port } = new URL(url);
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    this.#socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      // Into the same memory each time: a buffer for every answer would cost a tenth of the asking.
      onread: { buffer, callback: (length) => this.#take(buffer.subarray(0, length)) },
    });
    this.#socket.on('error', () => {});
    this.#socket.on('close', onBroken);
  }

  ask(request: Buffer, onAnswer: (answer: Answer) => void): void {
    this.#answered = onAnswer;
    this.#socket.write(request);
  }

  end(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  /** @returns true, to go on reading */
  #take(chunk: Buffer): boolean {
    const bytes = this.#arrived ? Buffer.concat([this.#arrived, chunk]) : chunk;
    const answer = readAnswer(bytes);
    this.#arrived = answer ? undefined : Buffer.from(bytes);
    if (answer) this.#answered?.(answer);
    return true;
  }
}

export class Answer {
  readonly status: number;
  readonly #bytes: Buffer;
  readonly #bodyStart: number;

  constructor(bytes: Buffer, bodyStart: number) {
    this.status = Number(bytes.toString('latin1', 9, 12));
    this.#bytes = bytes;
    this.#bodyStart = bodyStart;
  }

  /** Decoded when it is asked for. */
  get body(): string {
    return this.#bytes.toString('utf8', this.#bodyStart);
  }
}

/** Undefined while the answer is not whole. */
function readAnswer(bytes: Buffer): Answer | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const length = CONTENT_LENGTH.exec(bytes.toString('latin1', 0, headEnd))?.[1];
  if (length === undefined) throw new Error('the answer does not say how long it is');
  const bodyStart = headEnd + HEAD_END.length;
  return bytes.length < bodyStart + Number(length) ? undefined : new Answer(bytes, bodyStart);
}
