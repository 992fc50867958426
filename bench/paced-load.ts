import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { type LoadRequest, percentile } from './load.ts';

const CONNECTIONS = 64;
const TICK_MS = 5;

/** A fixed number of requests per second, however long responses take: a slow one does not delay the others. */
export class PacedLoad {
  readonly #url: string;
  readonly #requests: LoadRequest[];
  readonly #perSecond: number;
  readonly durationsMs: number[] = [];
  succeeded = 0;
  failed = 0;

  constructor(url: string, requests: LoadRequest[], perSecond: number) {
    this.#url = url;
    this.#requests = requests;
    this.#perSecond = perSecond;
  }

  /** The duration, unless `isOver` ends it. */
  async run(seconds: number, isOver: () => boolean = () => false): Promise<void> {
    const pool = new Pool(this.#url, { connections: CONNECTIONS });
    const startedAt = performance.now();
    const open = new Set<Promise<void>>();
    for (let asked = 0; performance.now() - startedAt < seconds * 1000 && !isOver(); ) {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * this.#perSecond);
      for (; asked < due; asked++) {
        const asking = this.#ask(pool, asked).finally(() => open.delete(asking));
        open.add(asking);
      }
      await pause(TICK_MS);
    }
    await Promise.all(open);
    await pool.close();
  }

  async #ask(pool: Pool, i: number): Promise<void> {
    const { method, path, headers, body } = this.#requests[i % this.#requests.length] as LoadRequest;
    const startedAt = performance.now();
    try {
      const answer = await pool.request({ method, path, headers, ...(body !== undefined && { body }) });
      await answer.body.dump();
      if (answer.statusCode < 300) this.succeeded++;
      else this.failed++;
    } catch {
      this.failed++;
    }
    this.durationsMs.push(performance.now() - startedAt);
  }
}

/** Count, median, 99th percentile, maximum and failures, as table cells. */
export function shown({ durationsMs, failed }: PacedLoad): string {
  const at = (share: number) => percentile(durationsMs, share).toFixed(1);
  return [durationsMs.length.toLocaleString('en'), at(0.5), at(0.99), at(1), failed].join(' | ');
}
