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
type HeaderValue = string | string[] | null | undefined;

/** Handles a request whose raw body an adapter has read. */
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

  /** The response. An event is handled before the response, so that none is lost. */
  async receive(body: Uint8Array | string, headerOf: (name: string) => HeaderValue): Promise<ReceiverAnswer> {
    const header = (name: string) => headerOf(name)?.toString();
    try {
      await verifySignature({
        secret: this.#secret,
        signature: header('x-service-signature'),
        standard: { id: header('webhook-id'), signature: header('webhook-signature') },
        body,
        now: this.#now(),
      });
    } catch (error) {
      if (!(error instanceof WebhookRefused)) throw error;
      this.#tellRefused(error);
      return { status: 401, text: error.message };
    }
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    return { status: STATUS[(await this.#dispatcher.take(JSON.parse(text) as ReceivedEvent)).outcome] };
  }

  #tellRefused(error: WebhookRefused): void {
    const now = this.#now();
    if (now - this.#toldAt < REFUSALS_TOLD_EVERY_MS) return;
    this.#toldAt = now;
    this.report(error);
  }

  report(error: unknown): void {
    this.#dispatcher.report(error);
  }
}
