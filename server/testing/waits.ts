import { setTimeout as pause } from 'node:timers/promises';

/**
 * The bounds of time in tests. However busy the machine is, they are reached only by what never comes: a test that can tell
 * sooner that it has failed does so by an event.
 */

/** For one event: an answer, a start, the end of a program, an element on a page. */
export const LONGEST_WAIT_MS = 300_000;

/** For the next news of a job. */
export const LONGEST_SILENCE_MS = 3 * LONGEST_WAIT_MS;

/** For the next news of a job in which a test has failed: others may wait for what it should have done. */
export const LONGEST_SILENCE_AFTER_FAILURE_MS = LONGEST_WAIT_MS + 60_000;

/** For a connection to the database by which a test prepares or looks. */
export const PATIENT = { waitTimeoutMs: LONGEST_WAIT_MS };

/** For what nothing announces. Looking more often would take the CPU from what is waited for. */
const LOOK_EVERY_MS = 20;

/**
 * Looks until there is something, and returns it.
 *
 * @param what for the error, if the function does not say it
 */
export async function eventually<T>(look: () => T | Promise<T>, what = `${look}`): Promise<NonNullable<T>> {
  const giveUpAt = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > giveUpAt) throw new Error(`this never came: ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}
