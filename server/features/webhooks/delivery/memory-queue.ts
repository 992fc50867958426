import type { Clock } from '#platform/clock.ts';
import type { DueEvent } from '../queries.ts';

/** Bytes of events in memory, at most. */
const CAPACITY = 32 * 1024 * 1024;
/** A line is shortened by this many events at once. */
const SHORTENED = 1_024;
/** An event's own objects, approximately. */
const OVERHEAD = 512;
/** An event that has waited for longer is queued in the database. */
export const WAITS_MS = 5_000;

/** The worker of this process. */
export interface MemoryWorker {
  workerId: number;
  /** It takes no new events after this time, unless it is extended: others would not find them after a crash. */
  until: number;
  owns(appId: string): boolean;
  /** Events are waiting, or may begin. */
  wake(): void;
}

/** The transaction of an event ends within this time, whatever its process knows about it. */
export const COMMITS_MS = 5 * 60_000;

/**
 * Recorded: its transaction may be in progress, or its outcome unknown. Waiting: for a slot of its application.
 * Revised: its message changes, so the row is to be read again. Sending: until its attempt is recorded. Queuing: until it is in the queue of the database.
 */
type State = 'recorded' | 'waiting' | 'revised' | 'sending' | 'queuing';

interface Held {
  readonly event: DueEvent;
  readonly size: number;
  readonly of: OfApplication;
  /** By a clock that nothing sets, and that stands still while a virtual machine does. */
  readonly heldAt: number;
  state: State;
  /** When that state began. */
  since: number;
}

/** The events of one application. */
interface OfApplication {
  readonly appId: string;
  bytes: number;
  /** How many are waiting. */
  count: number;
  /** In their order, from `first` on; some may not be waiting any more. */
  line: Held[];
  first: number;
}

/**
 * Events that the process that stores them sends from memory: the usual case, in which nothing is written to the queue, read
 * from it or removed from it. An event is held from before its commit until its attempt is recorded or it is in the queue. Its
 * row names the worker, so that another finds it after a crash (`recovery.ts`). Events of an application that does not keep up,
 * and those for which there is no room, go through the queue.
 */
export class MemoryQueue {
  readonly #clock: Clock;
  readonly #held = new Map<string, Held>();
  /** By what was recorded, until the commit. */
  readonly #recorded = new WeakMap<object, string>();
  readonly #applications = new Map<string, OfApplication>();
  /** Those with waiting events; the first is the next to take its turn. */
  readonly #waiting = new Map<string, OfApplication>();
  /** Applications with due events in the queue: newer ones are sent after those. */
  readonly #queued = new Set<string>();
  #allBytes = 0;
  #worker: MemoryWorker | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open(worker: MemoryWorker): void {
    this.#worker = worker;
  }

  /** New events are queued from now on. */
  close(): void {
    this.#worker = undefined;
  }

  /**
   * The worker to name in a new event; undefined if it must be queued. An application may fill as much as all others leave
   * free.
   */
  workerFor(appId: string): number | undefined {
    const worker = this.#worker;
    if (!worker || this.#clock.now() > worker.until) return undefined;
    if (this.#queued.has(appId) || !worker.owns(appId)) return undefined;
    const bytes = this.#applications.get(appId)?.bytes ?? 0;
    if (bytes < CAPACITY - this.#allBytes) return worker.workerId;
    this.#queued.add(appId);
    return undefined;
  }

  /** Holds an event that names this worker. It waits from `confirm` on, after its commit. */
  record(source: object, event: DueEvent): void {
    this.#recorded.set(source, event.deliveryId);
    this.#hold(event, 'recorded');
  }

  /** After the commit: of these, the events that are held are sent. Returns how many those are. */
  confirm(sources: readonly object[]): number {
    let count = 0;
    for (const source of sources) {
      const held = this.#takeRecorded(source);
      if (!held) continue;
      count++;
      // Otherwise it is being queued.
      if (held.state === 'recorded') this.#wait(held);
    }
    if (count > 0) this.#worker?.wake();
    return count;
  }

  /** These were certainly not stored. */
  discard(sources: readonly object[]): void {
    for (const source of sources) {
      const held = this.#takeRecorded(source);
      if (held) this.release(held.event.deliveryId);
    }
  }

  /** Takes an event of a worker that is gone; false if there is no room for it. */
  adopt(event: DueEvent): boolean {
    if (this.workerFor(event.appId) === undefined) return false;
    this.#wait(this.#hold(event, 'waiting'));
    return true;
  }

  has(deliveryId: string): boolean {
    return this.#held.has(deliveryId);
  }

  isSending(deliveryId: string): boolean {
    return this.#held.get(deliveryId)?.state === 'sending';
  }

  /** Events wait for a slot, of this application or of any. */
  isWaiting(appId?: string): boolean {
    return appId === undefined ? this.#waiting.size > 0 : this.#waiting.has(appId);
  }

  /** The applications with events that are to be sent from here. */
  waiting(): Iterable<string> {
    return this.#waiting.keys();
  }

  /** When the oldest event was recorded; undefined if there is none. */
  heldSince(): number | undefined {
    const times = Array.from(this.#held.values(), ({ event }) => event.nextAttemptAt);
    return times.length === 0 ? undefined : times.reduce((one, other) => Math.min(one, other));
  }

  /**
   * Begins the waiting events of the applications that may begin one, an application after the other. Whoever iterates takes
   * its slot.
   */
  *begin(mayBegin: (appId: string) => boolean): Generator<DueEvent> {
    for (let isAny = true; isAny; ) {
      isAny = false;
      for (const [appId, application] of [...this.#waiting]) {
        if (!mayBegin(appId)) continue;
        const held = nextInLine(application);
        this.#stopWaiting(held);
        this.#enter(held, 'sending');
        // Its next turn is after all others.
        if (this.#waiting.delete(appId)) this.#waiting.set(appId, application);
        isAny = true;
        yield held.event;
      }
    }
  }

  /** Its attempt is recorded, or it is in the queue, or gone. */
  release(deliveryId: string): void {
    const held = this.#held.get(deliveryId);
    if (!held) return;
    if (held.state === 'waiting') this.#stopWaiting(held);
    this.#held.delete(deliveryId);
    held.of.bytes -= held.size;
    this.#allBytes -= held.size;
    if (held.of.bytes === 0) this.#applications.delete(held.of.appId);
  }

  /** Its message changes: unless its attempt has begun, it is queued, also if its commit is not confirmed yet. */
  revise(deliveryId: string): void {
    const held = this.#held.get(deliveryId);
    if (held?.state === 'waiting') this.#stopWaiting(held);
    if (held?.state === 'waiting' || held?.state === 'recorded') this.#enter(held, 'revised');
  }

  /** Its attempt could not be recorded, or it could not be queued: it is queued, unless it has been dealt with. */
  withdraw(deliveryId: string, from: 'sending' | 'queuing'): void {
    const held = this.#held.get(deliveryId);
    if (held?.state === from) this.#enter(held, 'recorded');
  }

  /**
   * Takes out the events to queue: those that have waited too long, whose application may not receive more for now, or whose
   * commit is not known.
   */
  takeOverdue(isHalted: (appId: string) => boolean, waitsMs = WAITS_MS): DueEvent[] {
    const now = this.#clock.now();
    const overdue: DueEvent[] = [];
    for (const held of this.#held.values()) {
      const { event, state, since } = held;
      if (state === 'sending' || state === 'queuing') continue;
      const isStuck = state === 'waiting' && (isHalted(event.appId) || !this.#owns(event.appId));
      // Also if the clock was set back.
      if (Math.abs(now - since) < waitsMs && !isStuck) continue;
      if (state === 'waiting') this.#stopWaiting(held);
      this.#enter(held, 'queuing');
      overdue.push(event);
    }
    return overdue;
  }

  /** An event that was taken out to queue has no row: its transaction may still commit. */
  holdUncommitted({ deliveryId }: DueEvent): void {
    const held = this.#held.get(deliveryId);
    if (held && performance.now() - held.heldAt > COMMITS_MS) this.release(deliveryId);
    else this.withdraw(deliveryId, 'queuing');
  }

  /** The application has due events in the queue. */
  noteQueued(appId: string): void {
    this.#queued.add(appId);
  }

  /** The applications with due events in the queue, as far as is known. */
  queued(): Iterable<string> {
    return this.#queued;
  }

  /** All due events of the application in the queue are being sent. */
  noteEmpty(appId: string): void {
    this.#queued.delete(appId);
  }

  wake(): void {
    this.#worker?.wake();
  }

  #owns(appId: string): boolean {
    return this.#worker?.owns(appId) ?? false;
  }

  #takeRecorded(source: object): Held | undefined {
    const deliveryId = this.#recorded.get(source);
    if (deliveryId === undefined) return undefined;
    this.#recorded.delete(source);
    return this.#held.get(deliveryId);
  }

  #hold(event: DueEvent, state: State): Held {
    const { appId, deliveryId, body } = event;
    const of = this.#applications.get(appId) ?? { appId, bytes: 0, count: 0, line: [], first: 0 };
    const size = body.length + OVERHEAD;
    const held = { event, size, of, heldAt: performance.now(), state, since: this.#clock.now() };
    this.#held.set(deliveryId, held);
    this.#applications.set(appId, of);
    of.bytes += size;
    this.#allBytes += size;
    return held;
  }

  #enter(held: Held, state: State): void {
    held.state = state;
    held.since = this.#clock.now();
  }

  #wait(held: Held): void {
    this.#enter(held, 'waiting');
    held.of.line.push(held);
    held.of.count++;
    this.#waiting.set(held.of.appId, held.of);
  }

  #stopWaiting({ of }: Held): void {
    of.count--;
    if (of.count > 0) return;
    this.#waiting.delete(of.appId);
    of.line = [];
    of.first = 0;
  }
}

function nextInLine(of: OfApplication): Held {
  if (of.first >= SHORTENED) {
    of.line.splice(0, of.first);
    of.first = 0;
  }
  for (;;) {
    const held = of.line[of.first++] as Held;
    if (held.state === 'waiting') return held;
  }
}
