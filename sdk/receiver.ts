import type { EventDispatcher, Outcome } from './event-dispatcher.ts';
import { verifySignature, WebhookRefused } from './signature.ts';
import type { ReceivedEvent } from './wire.ts';

/** Larger than any event. */
export const LARGEST_BODY_BYTES = 1024 * 1024;

/** 2xx ends the deliveries of an event; any other status requests a retry. */
const STATUS: Record<Outcome, number> = { handled: 204, done: 204, busy: 503, failed: 500 };

/** A repeated header becomes a list, which our headers never are. */
type HeaderValue = string | string[] | null | undefined;

/** Handles a request whose raw body an adapter has read. */
export class Receiver {
  readonly #secret: string;
  readonly #desk: Pick<EventDispatcher<object>, 'take' | 'report'>;
  readonly #now: () => number;

  constructor(secret: string, desk: Pick<EventDispatcher<object>, 'take' | 'report'>, now: () => number) {
    this.#secret = secret;
    this.#desk = desk;
    this.#now = now;
  }

  /** The status to respond with. An event is handled before the response, so that none is lost. */
  async receive(body: Uint8Array | string, headerOf: (name: string) => HeaderValue): Promise<number> {
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
      if (error instanceof WebhookRefused) return 401;
      throw error;
    }
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    return STATUS[(await this.#desk.take(JSON.parse(text) as ReceivedEvent)).outcome];
  }

  report(error: unknown): void {
    this.#desk.report(error);
  }
}
