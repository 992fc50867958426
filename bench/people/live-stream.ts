import http from 'node:http';
import { createParser } from 'eventsource-parser';
import type { ChatEvent } from '#contract/live-events.ts';
import type { Figures } from './figures.ts';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;

export interface LiveStreamOptions {
  url: string;
  cookie: string;
  figures: () => Figures | null;
  onEvent: (event: ChatEvent) => void;
}

/** The event stream of a page, which connects again by itself, after the same pauses as in the page. */
export class LiveStream {
  readonly #options: LiveStreamOptions;
  #request: http.ClientRequest | undefined;
  #cursor: string | undefined;
  #isClosed = false;
  #isReady = false;
  #ready = Promise.withResolvers<void>();

  constructor(options: LiveStreamOptions) {
    this.#options = options;
  }

  /** Resolves once the stream is there. */
  open(): Promise<void> {
    if (this.#request === undefined) this.#connect();
    return this.#ready.promise;
  }

  /** The connection breaks. Resolves when the stream is there again; without `isResumed` from the current state on. */
  cut({ isResumed }: { isResumed: boolean }): Promise<void> {
    if (!isResumed) this.#cursor = undefined;
    if (this.#isReady) this.#ready = Promise.withResolvers();
    this.#isReady = false;
    this.#request?.destroy();
    return this.#ready.promise;
  }

  close(): void {
    this.#isClosed = true;
    this.#request?.destroy();
  }

  #connect(failures = 0): void {
    if (this.#isClosed) return;
    const { url, cookie } = this.#options;
    const startedAt = performance.now();
    const request = http.get(`${url}/api/chat/live${this.#cursor ? `?after=${this.#cursor}` : ''}`, {
      agent: false,
      headers: { cookie, accept: 'text/event-stream' },
    });
    this.#request = request;
    let isOpen = false;
    request.once('response', (response) => {
      const { statusCode = 0 } = response;
      this.#options.figures()?.noteAnswer('GET /api/chat/live', statusCode, performance.now() - startedAt);
      isOpen = statusCode === 200;
      if (!isOpen) {
        request.destroy();
        return;
      }
      const parser = createParser({ onEvent: (event) => this.#receive(event) });
      response.setEncoding('utf8').on('data', (text: string) => parser.feed(text));
    });
    request.on('error', () => undefined);
    request.once('close', () => {
      const next = isOpen ? 0 : failures + 1;
      const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.max(next - 1, 0), LONGEST_RETRY_MS);
      setTimeout(() => this.#connect(next), wait * (0.75 + Math.random() / 2));
    });
  }

  #receive({ id, event, data }: { id?: string | undefined; event?: string | undefined; data: string }): void {
    if (id) this.#cursor = id;
    if (event !== 'ready') {
      this.#options.onEvent({ type: event, data: JSON.parse(data) } as ChatEvent);
      return;
    }
    this.#isReady = true;
    this.#ready.resolve();
  }
}
