import { setImmediate as endOfTurn } from 'node:timers/promises';
import { currentTurn, inTurn, type Turn } from './concurrency/turn.ts';
import { unavailable } from './errors.ts';

/**
 * Answers of a batch, in the order of its items. An Error in it concerns only that item; throwing fails the
 * whole batch.
 */
export type BatchRun<In, Out> = (items: In[], key: string) => Promise<(Out | Error)[]>;

export interface BatchOptions {
  /** The most items that one run gets. */
  maxItems: number;
  /** How many may wait per key before further ones are refused with 503. */
  maxWaiting: number;
  /** How many runs of one key may be in progress at once while more items wait than a run gets: otherwise larger runs cost less. */
  runsAtOnce: number;
  /** How long a key rests after a batch, so that the next one is larger. A lone item starts at once nevertheless. */
  restMs: number;
}

interface Waiting<In, Out> {
  item: In;
  /** Of the request that waits, unless it is background work. */
  turn: Turn | undefined;
  since: number;
  resolve: (answer: Out) => void;
  reject: (error: unknown) => void;
}

interface Queue<In, Out> {
  waiting: Waiting<In, Out>[];
  running: number;
  /** Of the runs in progress, those that have taken so long that others may begin beside them. */
  late: number;
}

/** Each statement has a fixed cost, but in too large a batch every caller waits for all others. */
const DEFAULTS: BatchOptions = { maxItems: 64, maxWaiting: 4096, runsAtOnce: 1, restMs: 0 };
/** For what comes many times a second and is not urgent. */
export const UNHURRIED: Partial<BatchOptions> = { maxItems: 256, restMs: 10 };
/** Smaller queues are not divided. */
const FEW = 24;
/** A run that takes longer waits for a host of the database that stands still, or for a lock. */
const LATE_MS = 250;
/** If everything is slow, further runs would only make it slower. */
const MOST_BESIDE_LATE = 2;

/**
 * Collects items while the maximum number of batches of the same key is in progress, and passes them on as one array. There
 * is no timer: a lone item starts at once, and load makes the batches larger by itself. A batch takes half of the waiting
 * items, so that the other half can be read and answered meanwhile; if it took all, every caller would wait for all others.
 * A run that is late does not hold up the items behind it.
 */
export class Batcher<In, Out> {
  readonly #run: BatchRun<In, Out>;
  readonly #options: BatchOptions;
  readonly #queues = new Map<string, Queue<In, Out>>();

  constructor(run: BatchRun<In, Out>, options: Partial<BatchOptions> = {}) {
    this.#run = run;
    this.#options = { ...DEFAULTS, ...options };
  }

  submit(item: In, key = ''): Promise<Out> {
    let queue = this.#queues.get(key);
    if (!queue) {
      queue = { waiting: [], running: 0, late: 0 };
      this.#queues.set(key, queue);
    }
    if (queue.waiting.length >= this.#options.maxWaiting) return Promise.reject(unavailable());
    const { promise, resolve, reject } = Promise.withResolvers<Out>();
    const turn = currentTurn();
    turn?.wait();
    queue.waiting.push({ item, turn, since: performance.now(), resolve, reject });
    this.#begin(key, queue);
    return promise;
  }

  #begin(key: string, queue: Queue<In, Out>): void {
    // The batches serve other requests as well.
    if (queue.running < this.#mostRunning(queue)) void inTurn(undefined, () => this.#drain(key, queue));
  }

  #mostRunning({ waiting, late }: Queue<In, Out>): number {
    const { runsAtOnce, maxItems } = this.#options;
    return (waiting.length > maxItems ? runsAtOnce : 1) + Math.min(late, MOST_BESIDE_LATE);
  }

  async #drain(key: string, queue: Queue<In, Out>): Promise<void> {
    queue.running++;
    // Calls in the same turn of the event loop share the first batch.
    await endOfTurn();
    let batch: Waiting<In, Out>[] = [];
    let answer = () => {};
    while (queue.waiting.length > 0 && queue.running <= this.#mostRunning(queue)) {
      const half = Math.ceil((queue.waiting.length + batch.length) / 2);
      batch = inTime(queue.waiting.splice(0, Math.min(this.#options.maxItems, Math.max(FEW, half))));
      if (batch.length === 0) continue;
      // The next batch is in progress before the last one is answered: neither waits for the other.
      const running = this.#answersTo(batch, key, queue);
      answer();
      answer = await running;
      if (this.#options.restMs > 0) {
        answer();
        answer = () => {};
        await rest(this.#options.restMs);
      }
    }
    queue.running--;
    if (queue.running === 0) this.#queues.delete(key);
    answer();
  }

  /** Resolves to a function that distributes the answers. */
  async #answersTo(batch: Waiting<In, Out>[], key: string, queue: Queue<In, Out>): Promise<() => void> {
    let isLate = false;
    const watch = setTimeout(() => {
      isLate = true;
      queue.late++;
      if (queue.waiting.length > 0) this.#begin(key, queue);
    }, LATE_MS);
    try {
      const answers = await this.#run(
        batch.map(({ item }) => item),
        key,
      );
      return () => {
        for (const [i, { resolve, reject }] of batch.entries()) {
          const answer = answers[i];
          if (answer instanceof Error) reject(answer);
          else resolve(answer as Out);
        }
      };
    } catch (error) {
      return () => {
        for (const { reject } of batch) reject(error);
      };
    } finally {
      clearTimeout(watch);
      if (isLate) queue.late--;
    }
  }
}

/** Those that have waited too long are refused, if their requests have written nothing: nothing of them has been sent. */
function inTime<In, Out>(batch: Waiting<In, Out>[]): Waiting<In, Out>[] {
  const now = performance.now();
  return batch.filter(({ turn, since, reject }) => {
    const isLate = turn !== undefined && !turn.hasWritten && now - since > turn.leftMs;
    turn?.go();
    if (isLate) reject(unavailable());
    return !isLate;
  });
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
