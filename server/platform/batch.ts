import { unavailable } from './errors.ts';

/**
 * Answers of a batch, in the order of its items. An Error in it is the answer of that item alone; throwing fails the
 * whole batch.
 */
export type BatchRun<In, Out> = (items: In[], key: string) => Promise<(Out | Error)[]>;

export interface BatchOptions {
  /** The most items that one run gets. */
  maxItems: number;
  /** How many may wait per key before further ones are refused with 503. */
  maxWaiting: number;
}

interface Waiting<In, Out> {
  item: In;
  resolve: (answer: Out) => void;
  reject: (error: unknown) => void;
}

interface Lane<In, Out> {
  waiting: Waiting<In, Out>[];
  isRunning: boolean;
}

/** Statements cost the most by their number, but one that is too large makes all in it wait for all. */
const DEFAULTS: BatchOptions = { maxItems: 64, maxWaiting: 4096 };

/**
 * Collects what arrives while the previous batch of the same key is under way, and hands it over as one array. There
 * is no timer: a lone item starts at once, and load makes the batches larger by itself.
 */
export class Batcher<In, Out> {
  readonly #run: BatchRun<In, Out>;
  readonly #options: BatchOptions;
  readonly #lanes = new Map<string, Lane<In, Out>>();

  constructor(run: BatchRun<In, Out>, options: BatchOptions = DEFAULTS) {
    this.#run = run;
    this.#options = options;
  }

  submit(item: In, key = ''): Promise<Out> {
    let lane = this.#lanes.get(key);
    if (!lane) {
      lane = { waiting: [], isRunning: false };
      this.#lanes.set(key, lane);
    }
    if (lane.waiting.length >= this.#options.maxWaiting) return Promise.reject(unavailable());
    const { promise, resolve, reject } = Promise.withResolvers<Out>();
    lane.waiting.push({ item, resolve, reject });
    if (!lane.isRunning) void this.#drain(key, lane);
    return promise;
  }

  async #drain(key: string, lane: Lane<In, Out>): Promise<void> {
    const { maxItems } = this.#options;
    lane.isRunning = true;
    // What arrives in the same turn of the event loop shares the first batch.
    await endOfTurn();
    while (lane.waiting.length > 0) {
      await this.#answer(key, lane.waiting.splice(0, maxItems));
      // Whoever was answered just now and asks again at once shares the next batch with those who wait already.
      if (lane.waiting.length > 0 && lane.waiting.length < maxItems) await wholeTurn();
    }
    this.#lanes.delete(key);
  }

  async #answer(key: string, batch: Waiting<In, Out>[]): Promise<void> {
    try {
      const answers = await this.#run(
        batch.map((waiting) => waiting.item),
        key,
      );
      batch.forEach((waiting, i) => {
        const answer = answers[i];
        if (answer instanceof Error) waiting.reject(answer);
        else waiting.resolve(answer as Out);
      });
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }
}

/** Resolves when what the event loop has read in this turn has been handled. */
function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Resolves when the event loop has looked once more for what has come in. */
async function wholeTurn(): Promise<void> {
  await endOfTurn();
  await endOfTurn();
}
