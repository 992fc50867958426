import { ParleyError } from '../error.ts';
import type { Service } from '../service.ts';
import type { AcknowledgeEvents, FailedEvent } from '../wire.ts';
import type { FeedProgress } from './feed-progress.ts';

/** Half of the smallest usual quota. */
const EVERY_MS = 2000;
/** How many events one call gives up (OpenAPI). */
const MOST_FAILED = 100;
/** At the end nobody waits longer for a service that is away. */
const LAST_CALL_MS = 3000;

/** The parts that an acknowledger is made of. */
export interface AcknowledgerParts {
  service: Pick<Service, 'sleep'>;
  progress: FeedProgress;
  acknowledge(events: AcknowledgeEvents, signal: AbortSignal): Promise<void>;
  report(error: unknown): void;
  /** An event that was given up is in the service's hands. */
  onGivenUp(position: number): void;
}

/** Acknowledges handled events and reports abandoned ones to the service, every 2 s while there are any. */
export class Acknowledger {
  readonly #parts: AcknowledgerParts;
  readonly #signal: AbortSignal;
  #failed: FailedEvent[] = [];
  #acknowledged: number | undefined;
  #telling: Promise<void> | undefined;

  constructor(parts: AcknowledgerParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  giveUp(event: FailedEvent): void {
    this.#failed.push(event);
    this.request();
  }

  /** There may be something to tell. */
  request(): void {
    this.#telling ??= this.#tellAll();
  }

  /** Tells what is left, once. */
  async end(): Promise<void> {
    await this.#telling;
    if (!this.#hasNews()) return;
    await this.#tell(AbortSignal.timeout(LAST_CALL_MS)).catch(this.#parts.report);
  }

  async #tellAll(): Promise<void> {
    const { service, progress, report } = this.#parts;
    do {
      await service.sleep(EVERY_MS, this.#signal).catch(() => undefined);
      if (this.#signal.aborted) break;
      const { upTo } = progress;
      try {
        await this.#tell(this.#signal);
      } catch (error) {
        if (this.#signal.aborted) break;
        report(error);
        if (!(error instanceof ParleyError) || error.status < 400 || error.status >= 429) continue;
        // Trying again does not help; the bot goes on, and what it gave up is nowhere but in its own log.
        this.#acknowledged = upTo;
        this.#settle(this.#failed);
      }
    } while (this.#hasNews());
    this.#telling = undefined;
  }

  #hasNews(): boolean {
    return this.#failed.length > 0 || (this.#parts.progress.upTo ?? 0) > (this.#acknowledged ?? 0);
  }

  async #tell(signal: AbortSignal): Promise<void> {
    const { progress, acknowledge } = this.#parts;
    const failed = this.#failed.slice(0, MOST_FAILED);
    const { upTo } = progress;
    await acknowledge({ ...(upTo !== undefined && { upTo: String(upTo) }), failed }, signal);
    this.#acknowledged = upTo;
    this.#settle(failed);
  }

  #settle(failed: FailedEvent[]): void {
    this.#failed = this.#failed.filter((event) => !failed.includes(event));
    for (const { cursor } of failed) this.#parts.onGivenUp(Number(cursor));
  }
}
