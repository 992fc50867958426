import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type Clock, systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { createLog } from '#platform/log.ts';
import { startServer } from './server.ts';

interface Order {
  advanceMs: number;
}

/** A running clock that the parent process can advance. */
class MovableClock implements Clock {
  readonly #listeners: (() => Promise<void>)[] = [];
  #aheadMs = 0;

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  async advance(ms: number): Promise<void> {
    await this.#doWhatIsDue();
    this.#aheadMs += ms;
    await this.#doWhatIsDue();
  }

  onAdvance(listener: () => Promise<void>): void {
    this.#listeners.push(listener);
  }

  async #doWhatIsDue(): Promise<void> {
    for (const listener of this.#listeners) await listener();
  }
}

// The whole server for tests of bots, with an empty database that is deleted at the end; started by `startParley()` of
// parley-testing.
const dataDir = await mkdtemp(join(tmpdir(), 'parley-testing-'));
const ended = Promise.withResolvers<void>();
process.on('disconnect', ended.resolve);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ended.resolve());
try {
  const clock = new MovableClock();
  const config = readConfig({ ...process.env, DATA_DIR: dataDir });
  const log = createLog(config.logLevel);
  await using server = await startServer(config, log, { clock, isDurable: false });
  process.on('message', async ({ advanceMs }: Order) => {
    await clock.advance(advanceMs);
    process.send?.({ now: clock.now() });
  });
  process.send?.({ url: server.url, now: clock.now() });
  await ended.promise;
} finally {
  await rm(dataDir, { recursive: true, force: true });
  process.disconnect?.();
}
