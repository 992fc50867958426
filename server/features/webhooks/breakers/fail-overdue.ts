import { setTimeout as pause } from 'node:timers/promises';
import type { Reason } from '#contract/reasons.ts';
import type { Applications } from '#features/applications/index.ts';
import { eachByItself } from '#platform/concurrency/each-by-itself.ts';
import { sliceAfterSlice } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { insertAttempts } from '../attempts/queries.ts';
import { firstStateFor, WAITS_MS } from '../rules.ts';
import type { Breakers } from './breakers.ts';
import { failOverdue, lockBreaker } from './queries.ts';

/** Time for a probe to close the breaker before other due attempts count as failed. */
export const PROBE_FIRST_MS = 2_000;
/** Small, so that other statements do not wait long for the disk or a processor. */
const SLICE = 500;
/** The entry in the event log for an attempt that was not made. */
const ENTRY = {
  errorClass: 'circuit_open',
  reason: 'attempt.circuit-open' satisfies Reason,
};

/** A worker that sends. */
interface Sending extends Pick<Platform, 'db' | 'clock' | 'shards'> {
  applications: Applications;
  breakers: Breakers;
  /** For which applications it sends. */
  ownership: { owns(appId: string): boolean };
  /** The events that it is sending, with the application of each. */
  underWay: ReadonlyMap<string, string>;
  readonly isClosing: boolean;
}

/**
 * Counts due attempts as failed for this worker's endpoints with an open breaker, in slices that take at most
 * half of the time, so that other events are not delayed.
 *
 * @returns how many attempts were counted
 */
export async function failAllOverdue(sender: Sending): Promise<number> {
  let failed = 0;
  const appIds = sender.breakers.open().filter((appId) => sender.ownership.owns(appId));
  const failAll = async (appId: string) => {
    let count: number;
    do {
      const startedAt = performance.now();
      count = await failSlice(sender, appId);
      failed += count;
      if (count === SLICE) await pause(performance.now() - startedAt);
    } while (count === SLICE && !sender.isClosing);
  };
  await eachByItself(appIds, failAll, 'not all that is overdue could be counted as failed');
  return failed;
}

/** Locks the breaker, so that closing it waits, and nothing counts as failed afterwards. */
async function failSlice(
  { db, clock, shards, underWay, applications }: Sending,
  appId: string,
): Promise<number> {
  const at = clock.now();
  const failed = await db.begin(async (tx) => {
    if (!(await lockBreaker(tx, appId))) return 0;
    // The events of an application that is disabled, suspended or deleted keep their attempts.
    const [receiver] = await applications.findEventReceivers([appId], tx);
    if (!receiver || firstStateFor(receiver) !== 'pending') return 0;
    const slice = {
      appId,
      dueBy: at - PROBE_FIRST_MS,
      at,
      waitsMs: WAITS_MS,
      underWay: Array.from(underWay).flatMap(([deliveryId, owner]) => (owner === appId ? [deliveryId] : [])),
      shards,
    };
    return sliceAfterSlice(shards, SLICE, async (part, limit) => {
      const events = await failOverdue(tx, { ...slice, limit, part });
      await insertAttempts(
        tx,
        events.map(({ attempts, ...event }) => ({ ...event, entry: { attempt: attempts, at, ...ENTRY } })),
      );
      return events.length;
    });
  });
  const failure = { isDelivered: false, durationMs: undefined };
  for (let i = 0; i < failed; i++) applications.recorder.noteDelivery(appId, failure);
  return failed;
}
