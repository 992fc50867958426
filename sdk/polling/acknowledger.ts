import { ParleyError } from '../error.ts';
import type { Service } from '../service.ts';
import type { AcknowledgeEvents, FailedEvent } from '../wire.ts';
import type { FeedProgress } from './feed-progress.ts';

/** Half of the lowest usual quota. */
const EVERY_MS = 2000;
/** How many events one call can abandon (OpenAPI). */
const MOST_FAILED = 100;
/** At the end, the wait for an unavailable service is limited. */
const LAST_CALL_MS = 3000;

/** The dependencies of an acknowledger. */
export interface AcknowledgerParts {
  service: Pick<Service, 'sleep'>;
  progress: FeedProgress;
  acknowledge(events: AcknowledgeEvents, signal: AbortSignal): Promise<void>;
  report(error: unknown): void;
  /** Called once the service has recorded an abandoned event. */
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

  /** Schedules a report, since something has changed. */
  request(): void {
    this.#telling ??= this.#tellAll();
  }

  /** Reports what is left, once. */
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
        // Retrying does not help; the bot continues, and what it abandoned is recorded only in its own log.
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
