import type { EventDispatcher, Outcome } from './event-dispatcher.ts';
import { verifySignature, WebhookRefused } from './signature.ts';
import type { ReceivedEvent } from './wire.ts';

/** Larger than any event. */
export const LARGEST_BODY_BYTES = 1024 * 1024;

/** 2xx ends the deliveries of an event; any other status requests a retry. */
const STATUS: Record<Outcome, number> = { handled: 204, done: 204, givenUp: 204, busy: 503, failed: 500 };

/** Anybody can send any number of forged requests. */
const REFUSALS_TOLD_EVERY_MS = 60_000;

/** The response of an adapter; the text is for people, in the console's event log. */
export interface ReceiverAnswer {
  status: number;
  text?: string;
}

/** A repeated header becomes a list, which our headers never are. */
type HeaderOf = (name: string) => string | string[] | null | undefined;

const PARSED = 'the raw body is needed: mount the webhook handler before any body parser';

/** Handles the requests of an adapter. */
export class Receiver {
  readonly #secret: string;
  readonly #dispatcher: Pick<EventDispatcher<object>, 'take' | 'report'>;
  readonly #now: () => number;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(
    secret: string,
    dispatcher: Pick<EventDispatcher<object>, 'take' | 'report'>,
    now: () => number,
  ) {
    this.#secret = secret;
    this.#dispatcher = dispatcher;
    this.#now = now;
  }

  /** The response to a request, whose body may have been read. */
  async answer(
    { method, body }: { method: string | undefined; body: unknown },
    headerOf: HeaderOf,
  ): Promise<ReceiverAnswer> {
    if (method !== 'POST') return { status: 405 };
    try {
      const raw = await read(body ?? new Uint8Array());
      return raw ? await this.#receive(raw, headerOf) : { status: 413 };
    } catch (error) {
      this.#dispatcher.report(error);
      return { status: 500, text: (error as Error).message };
    }
  }

  /** The response. An event is handled before the response, so that none is lost. */
  async #receive(body: Uint8Array, headerOf: HeaderOf): Promise<ReceiverAnswer> {
    const header = (name: string) => headerOf(name)?.toString();
    const now = this.#now();
    try {
      await verifySignature({
        secret: this.#secret,
        signature: header('x-service-signature'),
        standard: { id: header('webhook-id'), signature: header('webhook-signature') },
        body,
        now,
      });
    } catch (error) {
      if (!(error instanceof WebhookRefused)) throw error;
      if (now - this.#toldAt >= REFUSALS_TOLD_EVERY_MS) {
        this.#toldAt = now;
        this.#dispatcher.report(error);
      }
      return { status: 401, text: error.message };
    }
    const event: ReceivedEvent = JSON.parse(new TextDecoder().decode(body));
    return { status: STATUS[(await this.#dispatcher.take(event)).outcome] };
  }
}

/** The raw body; undefined if it is too large. */
async function read(body: unknown): Promise<Uint8Array | undefined> {
  if (body instanceof Uint8Array) return body;
  if (!Object(body)[Symbol.asyncIterator]) throw new Error(PARSED);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += chunk.length;
    if (size > LARGEST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
