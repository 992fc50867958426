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
  /** How many runs of a key may be under way at once; more than one where none must wait for another to end. */
  maxRuns: number;
}

interface Waiting<In, Out> {
  item: In;
  resolve: (answer: Out) => void;
  reject: (error: unknown) => void;
}

interface Lane<In, Out> {
  waiting: Waiting<In, Out>[];
  runs: number;
  /** Items of the runs under way. */
  taken: number;
}

/** Statements cost the most by their number, but one that is too large makes all in it wait for all. */
const DEFAULTS: BatchOptions = { maxItems: 64, maxWaiting: 4096, maxRuns: 1 };
/** Fewer are not worth dividing. */
const FEW = 16;

/**
 * Collects what arrives while the previous batch of the same key is under way, and hands it over as one array. There
 * is no timer: a lone item starts at once, and load makes the batches larger by itself. Of all that is there, a part
 * is always left to be read and answered meanwhile: half, or a third when two runs may be under way. Were a batch to take
 * all, everybody would wait for everybody.
 */
export class Batcher<In, Out> {
  readonly #run: BatchRun<In, Out>;
  readonly #options: BatchOptions;
  readonly #lanes = new Map<string, Lane<In, Out>>();

  constructor(run: BatchRun<In, Out>, options: Partial<BatchOptions> = {}) {
    this.#run = run;
    this.#options = { ...DEFAULTS, ...options };
  }

  submit(item: In, key = ''): Promise<Out> {
    const lane = this.#lanes.get(key) ?? this.#open(key);
    if (lane.waiting.length >= this.#options.maxWaiting) return Promise.reject(unavailable());
    const { promise, resolve, reject } = Promise.withResolvers<Out>();
    lane.waiting.push({ item, resolve, reject });
    if (lane.runs > 0) this.#startNext(key, lane);
    return promise;
  }

  #open(key: string): Lane<In, Out> {
    const lane = { waiting: [], runs: 0, taken: 0 };
    this.#lanes.set(key, lane);
    // What arrives in the same turn of the event loop shares the first batch.
    setImmediate(() => this.#startNext(key, lane));
    return lane;
  }

  /** Starts a run if one may be started and there is enough for it. */
  #startNext(key: string, lane: Lane<In, Out>): void {
    const { maxItems, maxRuns } = this.#options;
    const share = Math.max(FEW, Math.ceil((lane.waiting.length + lane.taken) / (maxRuns + 1)));
    const isEnough = lane.runs === 0 ? lane.waiting.length > 0 : lane.waiting.length >= share;
    if (isEnough && lane.runs < maxRuns) {
      void this.#runBatch(key, lane, lane.waiting.splice(0, Math.min(maxItems, share)));
    }
  }

  async #runBatch(key: string, lane: Lane<In, Out>, batch: Waiting<In, Out>[]): Promise<void> {
    lane.runs++;
    lane.taken += batch.length;
    const answer = await this.#answersTo(batch, key);
    lane.runs--;
    // Those of this batch are there as long as they are not answered.
    this.#startNext(key, lane);
    lane.taken -= batch.length;
    if (lane.runs === 0) this.#lanes.delete(key);
    // The next batch is under way before this one is answered: neither waits for the other.
    answer();
  }

  /** Resolves to what hands out the answers. */
  async #answersTo(batch: Waiting<In, Out>[], key: string): Promise<() => void> {
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
    }
  }
}
