/** Includes interim responses. */
const MAX_HEAD_BYTES = 16 * 1024;
/** The limit for chunked framing. A body in chunks of one byte reaches the body's own limit first. */
const MAX_FRAMING_BYTES = 128 * 1024;

const HEAD_END = '\r\n\r\n';
const START = 'HTTP/1.';
const HEAD = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\0\r\n]*)?\r\n(?:[\w!#$%&'*+.^`|~-]+:[^\0\r\n]*\r\n)*\r\n$/;
const FRAMING = /^(content-length|transfer-encoding|connection|keep-alive):[ \t]*(.*?)[ \t]*\r$/gim;
const CHUNK_SIZE = /^([\da-f]{1,8})[ \t]*(?:;.*)?$/i;

/** The receiver's answer is not HTTP/1.1, or is too long. */
export class AnswerFault extends Error {
  readonly reason: 'protocol' | 'too_large';

  constructor(reason: 'protocol' | 'too_large') {
    super(reason);
    this.name = 'AnswerFault';
    this.reason = reason;
  }
}

export interface AnswerWatcher {
  /** @param head the status line and the headers */
  onStatus(status: number, head: string): void;
  /** Called with the number of body bytes as they arrive, and where they are: from `at` on in `text`. */
  onBody(bytes: number, text: string, at: number): void;
  onEnd(): void;
}

type Part = 'head' | 'counted' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers' | 'until-closed' | 'over';

/**
 * Parses successive HTTP/1.1 responses to POST on one connection: the status and the end of the body. Skips interim
 * responses and decodes nothing. Responses that violate RFC 9112 are a fault.
 */
export class AnswerReader {
  /** Whether the connection can be reused after the response. */
  isReusable = false;
  /** The receiver's announced idle timeout in seconds, if any. */
  idleSeconds: number | undefined;
  #part: Part = 'over';
  /** The beginning of an incomplete head or line. */
  #begun = '';
  #left = 0;
  #framingBytes = 0;
  #latest: { text: string; head: Head } | undefined;

  expect(): void {
    this.#part = 'head';
    this.#begun = '';
    this.#framingBytes = 0;
  }

  /**
   * @param text the received bytes, one character each
   * @throws AnswerFault
   */
  read(text: string, watcher: AnswerWatcher): void {
    if (this.#isOver) throw new AnswerFault('protocol');
    let at = 0;
    while (!this.#isOver && at < text.length) at = this.#readPart(text, at, watcher);
    if (!this.#isOver) return;
    // Unsolicited bytes must never be taken for the next response.
    if (at < text.length) this.isReusable = false;
    watcher.onEnd();
  }

  /** Called when the receiver has disconnected. Returns false if the response was incomplete. */
  close(watcher: AnswerWatcher): boolean {
    if (this.#part !== 'until-closed') return false;
    this.#part = 'over';
    watcher.onEnd();
    return true;
  }

  get #isOver(): boolean {
    return this.#part === 'over';
  }

  /** Returns the position up to which it has read. */
  #readPart(text: string, at: number, watcher: AnswerWatcher): number {
    switch (this.#part) {
      case 'head':
        return this.#readHead(text, at, watcher);
      case 'counted':
      case 'chunk': {
        const bytes = Math.min(this.#left, text.length - at);
        this.#left -= bytes;
        watcher.onBody(bytes, text, at);
        if (this.#left === 0) this.#part = this.#part === 'chunk' ? 'chunk-end' : 'over';
        return at + bytes;
      }
      case 'until-closed':
        watcher.onBody(text.length - at, text, at);
        return text.length;
      default:
        return this.#readLine(text, at);
    }
  }

  #readHead(text: string, from: number, watcher: AnswerWatcher): number {
    const before = this.#begun.length;
    const head = this.#begun + text.slice(from);
    if (!head.startsWith(START) && !START.startsWith(head)) throw new AnswerFault('protocol');
    const end = head.indexOf(HEAD_END, Math.max(0, before - HEAD_END.length + 1));
    if (this.#framingBytes + (end < 0 ? head.length : end) > MAX_HEAD_BYTES)
      throw new AnswerFault('too_large');
    if (end < 0) {
      this.#begun = head;
      return text.length;
    }
    const length = end + HEAD_END.length;
    this.#begun = '';
    this.#framingBytes += length;
    this.#takeHead(head.slice(0, length), watcher);
    return from + length - before;
  }

  #takeHead(text: string, watcher: AnswerWatcher): void {
    // Most heads are identical to the previous one, until the second in their `Date` changes.
    if (this.#latest?.text !== text) this.#latest = { text, head: parseHead(text) };
    const { status, part, length, isReusable, idleSeconds } = this.#latest.head;
    if (status < 200) return;
    this.isReusable = isReusable;
    this.idleSeconds = idleSeconds;
    this.#begin(part, length);
    watcher.onStatus(status, text);
  }

  #begin(part: Part, left: number): void {
    this.#part = part;
    this.#left = left;
  }

  /** Reads a line of the chunked framing. */
  #readLine(text: string, from: number): number {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end + 1;
    this.#begun += text.slice(from, to);
    this.#framingBytes += to - from;
    if (this.#framingBytes > MAX_FRAMING_BYTES) throw new AnswerFault('too_large');
    if (end < 0) return to;
    if (!this.#begun.endsWith('\r\n')) throw new AnswerFault('protocol');
    const line = this.#begun.slice(0, -2);
    this.#begun = '';
    this.#takeLine(line);
    return to;
  }

  #takeLine(line: string): void {
    if (this.#part === 'trailers') {
      if (line === '') this.#part = 'over';
      return;
    }
    if (this.#part === 'chunk-end') {
      if (line !== '') throw new AnswerFault('protocol');
      this.#part = 'chunk-size';
      return;
    }
    const [, size] = CHUNK_SIZE.exec(line) ?? [];
    if (size === undefined) throw new AnswerFault('protocol');
    const left = Number.parseInt(size, 16);
    this.#begin(left > 0 ? 'chunk' : 'trailers', left);
  }
}

interface Head {
  status: number;
  part: Part;
  /** The length of the body, if it is known. */
  length: number;
  isReusable: boolean;
  idleSeconds: number | undefined;
}

function parseHead(text: string): Head {
  const [, minor, code] = HEAD.exec(text) ?? [];
  const status = Number(code);
  // We never ask for another protocol.
  if (code === undefined || status === 101) throw new AnswerFault('protocol');
  const { length, codings, connection, idleSeconds } = framingOf(text);
  const isKept = minor === '1' ? !connection.includes('close') : connection.includes('keep-alive');
  const part = status === 204 || status === 304 || length === 0 ? 'over' : partAfter({ length, codings });
  return { status, part, length: length ?? 0, isReusable: isKept && part !== 'until-closed', idleSeconds };
}

function partAfter({ length, codings = '' }: Pick<Framing, 'length' | 'codings'>): Part {
  if (/(?:^|[ \t,])chunked$/.test(codings)) return 'chunk-size';
  return length === undefined ? 'until-closed' : 'counted';
}

interface Framing {
  length: number | undefined;
  /** Those of the last line, whose last one is the outermost. */
  codings: string | undefined;
  connection: string;
  idleSeconds: number | undefined;
}

function framingOf(head: string): Framing {
  const framing: Framing = { length: undefined, codings: undefined, connection: '', idleSeconds: undefined };
  for (const [, name = '', value = ''] of head.matchAll(FRAMING)) {
    const said = value.toLowerCase();
    switch (name.toLowerCase()) {
      case 'content-length':
        if (framing.length !== undefined || !/^\d{1,15}$/.test(said)) throw new AnswerFault('protocol');
        framing.length = Number(said);
        break;
      case 'transfer-encoding':
        framing.codings = said;
        break;
      case 'connection':
        framing.connection += ` ${said}`;
        break;
      default: {
        const [, seconds] = /\btimeout=(\d{1,6})\b/.exec(said) ?? [];
        if (seconds !== undefined) framing.idleSeconds = Number(seconds);
      }
    }
  }
  // Two lengths for one body are ambiguous (request smuggling).
  if (framing.length !== undefined && framing.codings !== undefined) throw new AnswerFault('protocol');
  return framing;
}
