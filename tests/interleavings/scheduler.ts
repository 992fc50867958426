import { AsyncLocalStorage } from 'node:async_hooks';
import { createSql, type Send, type Sql } from '#platform/database/statement.ts';
import type { Database, Tx } from '#platform/database.ts';

/** Names a process in the text of an order. */
export const LETTERS = 'abcd';

/** Turns of the event loop without anything new, after which nothing more is expected of a request. */
const QUIET_TURNS = 4;
/** How long a statement runs before PostgreSQL is asked whether it waits for a lock. */
const ASK_AFTER_MS = 2;
/** How long what is outside this thread may take, such as cryptography and a timer. */
const OUTSIDE_MS = 50;
/** The same on a busy machine, for a request that went on at this place in an earlier run. */
const OUTSIDE_LATE_MS = 5_000;
/** Only a fault of the scheduler or of a race makes nothing happen for so long. */
const STUCK_AFTER_MS = 20_000;

/** Requests at the same time. */
export type Work = () => Promise<unknown>;

/** @param last the letter of the process that ran before; undefined at the beginning */
export type Choose = (enabled: readonly string[], last: string | undefined) => string;

export interface Run {
  /** The letters of the processes in the order in which their statements were sent. */
  order: string;
  /** The statements with their letters, to be read. */
  statements: string[];
  results: PromiseSettledResult<unknown>[];
}

/** An earlier run went on otherwise: of several that wait for one lock, PostgreSQL may have woken another one. */
export class Unrepeatable extends Error {}

interface Process {
  letter: string;
  strands: Strand[];
  isFinished: boolean;
}

/** What sends one statement after another: a transaction, or a statement of its own. */
interface Strand {
  process: Process;
  parked: Parked[];
  isRunning: boolean;
}

interface Parked {
  text: string;
  release: () => void;
}

/**
 * Decides, in place of chance, the order in which the statements of concurrent requests are sent. The beginning of each request, each
 * statement, and each end of a transaction waits until its request is chosen. A statement that waits for a lock leaves its request blocked, and the
 * others go on; PostgreSQL itself says which wait.
 */
export class Scheduler {
  /** Changes the text of statements, to leave out a guard. */
  rewrite: (text: string) => string = (text) => text;
  readonly #current = new AsyncLocalStorage<Process>();
  readonly #countWaiting: () => Promise<number>;
  #processes: Process[] = [];
  #running = 0;
  /** What is between two statements, such as the beginning of a transaction. */
  #busy = 0;
  #news = 0;
  #wake: () => void = () => {};

  /** @param countWaiting how many sessions wait for a lock of another one */
  constructor(countWaiting: () => Promise<number>) {
    this.#countWaiting = countWaiting;
  }

  /** The same database, for features whose requests are scheduled. What belongs to no request is sent at once. */
  watch(db: Database): Database {
    const own: Partial<Database> = {
      begin: (work) => this.#transact(db, work),
      write: async (work) => work(this.#statements(db) as Tx),
      // Statements on one connection would wait for each other.
      shared: () => this.#statements(db) as Tx,
    };
    const statements = this.#statements(db);
    const watched = new Proxy(statements as Database, {
      get: (target, name) => {
        if (name === 'background') return db.background === db ? watched : this.watch(db.background);
        return Reflect.get(own, name) ?? Reflect.get(target, name) ?? Reflect.get(db, name);
      },
    });
    return watched;
  }

  /** Runs the requests to their ends, one statement at a time. */
  async run(works: readonly Work[], choose: Choose): Promise<Run> {
    const processes = works.map(
      (_, i): Process => ({
        letter: LETTERS[i] as string,
        strands: [],
        isFinished: false,
      }),
    );
    this.#processes = processes;
    const all = Promise.allSettled(
      works.map(async (work, i) => {
        const process = processes[i] as Process;
        try {
          return await this.#current.run(process, async () => {
            const begun = await this.#turn('begins', addStrand);
            begun?.();
            return work();
          });
        } finally {
          process.isFinished = true;
          this.#tell();
        }
      }),
    );
    try {
      const taken = await this.#takeSteps(processes, choose);
      return { ...taken, results: await all };
    } finally {
      // After an error, the rest runs in any order.
      this.#processes = [];
      for (const { parked } of processes.flatMap(({ strands }) => strands))
        for (const { release } of parked.splice(0)) release();
      await all;
    }
  }

  async #takeSteps(processes: Process[], choose: Choose): Promise<Omit<Run, 'results'>> {
    const statements: string[] = [];
    let order = '';
    for (;;) {
      await this.#settle();
      const enabled = processes.filter((process) => next(process) !== undefined);
      if (enabled.length > 0) {
        const letters = enabled.map((process) => process.letter);
        const letter = choose(letters, order.at(-1));
        const strand = await this.#sending(processes, letter);
        if (!strand)
          throw new Unrepeatable(`after "${order}", ${letter} has nothing to send; ${letters} have`);
        const { text, release } = strand.parked.shift() as Parked;
        order += letter;
        statements.push(`${letter} ${text.replace(/\s+/g, ' ').trim()}`);
        release();
      } else if (this.#running === 0 && processes.every(({ isFinished }) => isFinished)) {
        return { order, statements };
      } else await this.#somethingNew();
    }
  }

  /** The strand of a process that has something to send, or comes to it without a lock. */
  async #sending(processes: Process[], letter: string): Promise<Strand | undefined> {
    const process = processes.find((one) => one.letter === letter);
    for (;;) {
      const found = process && next(process);
      if (found || !process || process.isFinished || process.strands.some(({ isRunning }) => isRunning))
        return found;
      if (!(await this.#comes(OUTSIDE_LATE_MS))) return undefined;
    }
  }

  #statements(sql: Sql, strandOf: (process: Process) => Strand = addStrand): Sql {
    const send: Send = async ({ text }, values) => {
      const done = await this.#turn(text, strandOf);
      try {
        const sent = this.rewrite(text);
        // Prepared, unless a guard is left out.
        return await (sent === text ? sql(templateOf(text), ...values) : sql.unsafe(sent, values));
      } finally {
        done?.();
      }
    };
    return createSql(send);
  }

  async #transact<T>(db: Database, work: (tx: Tx) => PromiseLike<T>): Promise<T> {
    const process = this.#process();
    if (!process) return db.begin(work);
    const strand = addStrand(process);
    let done: (() => void) | undefined;
    const begun = this.#beBusy();
    try {
      return await db.begin(async (tx) => {
        begun();
        const isCommitted = await work(this.#statements(tx, () => strand) as Tx).then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        );
        const isError = 'error' in isCommitted;
        done = await this.#turn(isError ? 'rollback' : 'commit', () => strand);
        if (isError) throw isCommitted.error;
        return isCommitted.value;
      });
    } finally {
      begun();
      done?.();
    }
  }

  /** Of the running code; undefined for what belongs to no request of this run. */
  #process(): Process | undefined {
    const process = this.#current.getStore();
    return process && this.#processes.includes(process) ? process : undefined;
  }

  /** Resolves when the statement is chosen, to what must be called once it is answered. */
  #turn(text: string, strandOf: (process: Process) => Strand): Promise<(() => void) | undefined> {
    const process = this.#process();
    if (!process) return Promise.resolve(undefined);
    const strand = strandOf(process);
    return new Promise((resolve) => {
      const done = () => {
        strand.isRunning = false;
        this.#running--;
        this.#tell();
      };
      const release = () => {
        strand.isRunning = true;
        this.#running++;
        resolve(done);
      };
      strand.parked.push({ text, release });
      this.#tell();
    });
  }

  #beBusy(): () => void {
    this.#busy++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#busy--;
      this.#tell();
    };
  }

  #tell(): void {
    this.#news++;
    this.#wake();
  }

  /** Whether something new comes within that time. */
  #comes(withinMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), withinMs);
    this.#wake = () => {
      clearTimeout(timer);
      resolve(true);
    };
    return promise;
  }

  async #somethingNew(): Promise<void> {
    if (!(await this.#comes(STUCK_AFTER_MS))) throw new Error('neither a statement nor a request ends');
  }

  /** Resolves when every request has ended, waits for its turn, for a lock, or for another request. */
  async #settle(): Promise<void> {
    for (;;) {
      const before = this.#news;
      for (let turn = 0; turn < QUIET_TURNS && this.#news === before; turn++) await endOfTurn();
      if (this.#news !== before) continue;
      if (this.#busy > 0) await this.#somethingNew();
      else if (this.#running > 0) {
        if (await this.#areBlocked(before)) return;
      } else if (this.#processes.every((process) => process.isFinished || next(process))) return;
      else {
        // Something outside this thread; otherwise it waits for another request.
        if (!(await this.#comes(OUTSIDE_MS))) return;
      }
    }
  }

  /** Whether all running statements wait for locks. */
  async #areBlocked(before: number): Promise<boolean> {
    if (await this.#comes(ASK_AFTER_MS)) return false;
    const waiting = await this.#countWaiting();
    return this.#news === before && waiting === this.#running;
  }
}

const templates = new Map<string, TemplateStringsArray>();

/** A statement is prepared once for each template. */
function templateOf(text: string): TemplateStringsArray {
  const known = templates.get(text);
  if (known) return known;
  const parts = text.split(/\$\d+/);
  const template = Object.assign(parts, { raw: parts });
  templates.set(text, template);
  return template;
}

function addStrand(process: Process): Strand {
  const strand: Strand = { process, parked: [], isRunning: false };
  process.strands.push(strand);
  return strand;
}

/** The strand of the process whose statement has waited longest. */
function next({ strands }: Process): Strand | undefined {
  return strands.find(({ parked, isRunning }) => parked.length > 0 && !isRunning);
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
