import { ParleyError } from '../error.ts';
import type { EventDispatcher } from '../event-dispatcher.ts';
import { isFromService, readStream } from '../read-answer.ts';
import { readServerSentEvents } from '../server-sent-events.ts';
import { isOutage, type Service, waitMs } from '../service.ts';
import type { AcknowledgeEvents, FailedEvent, ReceivedEvent } from '../wire.ts';
import { Conversations } from './conversations.ts';
import { FeedProgress } from './feed-progress.ts';

/** Half of the lowest usual quota. */
const EVERY_MS = 2000;
/** How many events one call can abandon (OpenAPI). */
const MOST_FAILED = 100;
/** At the end, the wait for an unavailable service is limited. */
const LAST_CALL_MS = 3000;

/** The dependencies of an acknowledger. */
interface AcknowledgerParts {
  service: Pick<Service, 'sleep'>;
  progress: FeedProgress;
  acknowledge(events: AcknowledgeEvents, signal: AbortSignal): Promise<void>;
  report(error: unknown): void;
  /** Called once the service has recorded an abandoned event. */
  onGivenUp(position: number): void;
}

/** Acknowledges handled events and reports abandoned ones to the service, every 2 s while there are any. */
class Acknowledger {
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
        if (!isFinal(error)) continue;
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

/** Start, cursor store and concurrency of polling. */
export interface PollOptions {
  /** Stops the polling. */
  signal?: AbortSignal;
  /** Where to start: the cursor of an event; `0` for the oldest stored one. */
  after?: string;
  /** Stores the position between runs; by default, the service does. */
  cursor?: CursorStore;
  /** How many conversations are handled at the same time; defaults to 100. */
  concurrency?: number;
}

/** Stores the position of polling. The text is opaque: it also names events that were still open. */
export interface CursorStore {
  read(): Promise<string | undefined>;
  write(cursor: string): Promise<void>;
}

/** The dependencies of polling. */
export interface PollingParts {
  service: Service;
  authorization: string;
  dispatcher: Pick<EventDispatcher<object>, 'take' | 'report'>;
  acknowledge(events: AcknowledgeEvents, signal: AbortSignal): Promise<void>;
}

/** Attempts of a handler before its event is abandoned, as with webhooks. */
const TRIES_PER_EVENT = 8;
/** The limit of events waiting for a retry; further ones are abandoned at once, so that a broken bot cannot fill its memory. */
const MOST_RETRIED = 1000;
/** Longer than the service's heartbeat interval. */
const SILENCE_MS = 90_000;

/** One run of `bot.poll()`. */
export class Polling {
  readonly #options: PollOptions;
  readonly #parts: PollingParts;
  /** Aborted when the run ends, for any reason. */
  readonly #ending = new AbortController();
  readonly #conversations: Conversations;
  #progress = new FeedProgress();
  #acknowledger: Acknowledger | undefined;
  #retried = 0;
  #openedAt = Number.POSITIVE_INFINITY;
  /** A stream of the service has been open. */
  #isAddressKnown = false;
  #isUnsaved = false;
  #saving: Promise<void> | undefined;

  constructor(options: PollOptions, parts: PollingParts) {
    const { concurrency = 100 } = options;
    if (!(concurrency >= 1)) throw new TypeError('concurrency must be 1 or more');
    this.#options = options;
    this.#parts = parts;
    this.#conversations = new Conversations(concurrency);
  }

  async run(): Promise<void> {
    const { signal, after, cursor } = this.#options;
    const { service, dispatcher, acknowledge } = this.#parts;
    const end = () => this.#ending.abort();
    if (signal?.aborted) return;
    signal?.addEventListener('abort', end, { once: true });
    try {
      this.#progress = new FeedProgress(after ?? (await cursor?.read()));
      this.#acknowledger = new Acknowledger(
        {
          ...{ service, progress: this.#progress, acknowledge },
          report: (error) => dispatcher.report(error),
          onGivenUp: (position) => this.#finish(position),
        },
        this.#ending.signal,
      );
      await this.#read();
    } finally {
      end();
      signal?.removeEventListener('abort', end);
      await this.#conversations.stop();
      await this.#acknowledger?.end();
      await this.#saving;
    }
  }

  async #read(): Promise<void> {
    const { service, dispatcher } = this.#parts;
    const { signal } = this.#ending;
    for (let failures = 0; !signal.aborted; ) {
      let failure: unknown;
      try {
        for await (const { id, data } of this.#openStream()) {
          failures = 0;
          if (this.#progress.begin(Number(id))) this.#handle(Number(id), JSON.parse(data), 1);
          await this.#conversations.room();
        }
      } catch (error) {
        if (signal.aborted) return;
        if (isFinal(error, this.#isAddressKnown)) throw error;
        failure = error;
      }
      // A stream that lasted was no outage, although nothing came: proxies end those that are idle.
      if (service.now() - this.#openedAt >= waitMs(failures)) failures = 0;
      this.#openedAt = Number.POSITIVE_INFINITY;
      // Once for each outage: a stream that breaks is usually opened again at once.
      if (failure && failures === 1) dispatcher.report(failure);
      await service.sleep(waitMs(failures++, failure), signal).catch(() => undefined);
    }
  }

  async *#openStream(): AsyncGenerator<{ id: string; data: string }> {
    const { service, authorization } = this.#parts;
    const response = await service.open({
      method: 'GET',
      path: `/v1/events?after=${this.#progress.after ?? 'acknowledged'}`,
      headers: { accept: 'text/event-stream', authorization },
      signal: this.#ending.signal,
    });
    const body = await readStream(response);
    this.#openedAt = service.now();
    this.#isAddressKnown = true;
    for await (const { id, data } of readServerSentEvents(body, SILENCE_MS)) {
      if (id !== undefined && data !== undefined) yield { id, data };
    }
  }

  #handle(position: number, event: ReceivedEvent, attempt: number): void {
    this.#conversations.add(conversationOf(event), async () => {
      const isLast = attempt === TRIES_PER_EVENT || this.#retried >= MOST_RETRIED;
      const { outcome, error } = await this.#parts.dispatcher.take(event, { attempt, isLast });
      if (outcome === 'handled' || outcome === 'done') this.#finish(position);
      else if (!isLast && outcome !== 'givenUp')
        void this.#handleLater(
          position,
          event,
          outcome === 'busy' || isOutage(error) ? Math.min(attempt, TRIES_PER_EVENT - 2) : attempt,
        );
      else {
        this.#acknowledger?.giveUp({
          cursor: String(position),
          attempts: attempt,
          error: nameOf(outcome, error),
        });
      }
    });
  }

  /** On its own schedule: later messages of its conversation do not wait for it. */
  async #handleLater(position: number, event: ReceivedEvent, attempt: number): Promise<void> {
    this.#retried++;
    try {
      await this.#parts.service.sleep(waitMs(attempt - 1), this.#ending.signal);
      this.#handle(position, event, attempt + 1);
    } catch {
      // The run has ended: the next one starts with this event.
    } finally {
      this.#retried--;
    }
  }

  #finish(position: number): void {
    this.#progress.end(position);
    this.#acknowledger?.request();
    if (!this.#options.cursor) return;
    this.#isUnsaved = true;
    this.#saving ??= this.#save(this.#options.cursor);
  }

  async #save(cursor: CursorStore): Promise<void> {
    while (this.#isUnsaved) {
      this.#isUnsaved = false;
      try {
        await cursor.write(this.#progress.text);
      } catch (error) {
        this.#parts.dispatcher.report(error);
      }
    }
    this.#saving = undefined;
  }
}

/**
 * The service refuses the bot or its cursor; outages and quotas are temporary. A proxy may answer 404 while the service is away, but if the
 * service never answered, the address is wrong.
 */
export function isFinal(error: unknown, isAddressKnown = true): boolean {
  if (!(error instanceof ParleyError)) return false;
  const { status } = error;
  return status >= 400 && status < 500 && status !== 429 && (isFromService(error) || !isAddressKnown);
}

/** Some events belong to none. */
function conversationOf({ type, data }: ReceivedEvent): string {
  return ('groupId' in data && data.groupId) || ('chatId' in data && data.chatId) || type;
}

/** Only the name leaves the bot: the message of an error may quote what people wrote. */
function nameOf(outcome: string, error: unknown): string {
  if (outcome === 'busy') return 'Busy';
  const name = error instanceof Error ? error.name : '';
  return /^[A-Za-z_$][\w$.]{0,63}$/.test(name) ? name : 'Error';
}
