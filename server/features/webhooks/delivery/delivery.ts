import { setTimeout as pause } from 'node:timers/promises';
import { timeOfId } from '#platform/ids.ts';
import { DELIVERIES_TOPIC } from '#platform/live.ts';
import type { Counter } from '#platform/monitoring/metrics.ts';
import { readEachShard, restMs } from '#platform/partitioning/shards.ts';
import { failAllOverdue } from '../breakers.ts';
import type { WebhookDeps } from '../deps.ts';
import { findSoonest } from '../queries.ts';
import { resumeForgotten } from '../tasks/work.ts';
import { deliverDue, type StepCounts, sendHeld } from './deliver-due.ts';
import { PACE_MS } from './endpoint-queues.ts';
import { findWorkers, upsertWorker } from './held-queries.ts';
import { Leases } from './leases.ts';
import { queueAll, recoverHeld, TAKES_MS } from './recovery.ts';
import { createSender, type Sender, type SenderOptions } from './sender.ts';

/** Their bodies are in memory at the same time. */
const MAX_CLAIMED = 512;
/** The pause after a claim that found little: its cost hardly depends on the number of events. */
const MIN_CLAIM_MS = 5;
/** With this many attempts in progress, a longer pause costs nothing: there is enough to do. */
const MANY_UNDER_WAY = 256;
const MIN_CLAIM_OF_MANY_MS = 25;
/** With this many attempts in progress, several begin together, because reading whom to send to has a fixed cost. */
const SOME_UNDER_WAY = 64;
/** How often events in memory are checked for those that wait too long. */
const SWEEP_MS = 1_000;
const MAX_WORKER_ID = 2 ** 31;

/** The delivery of webhooks by one worker process, in steps. Disposing waits for the attempts in progress. */
export class Delivery implements AsyncDisposable {
  readonly #sender: Sender;
  readonly #workerId: number;
  /** Set if it is not the only worker. */
  readonly #leases: Leases | undefined;
  readonly #outcomes: Counter;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #unsubscribe: () => void;
  #sweptAt = 0;

  constructor(platform: WebhookDeps, options?: SenderOptions) {
    const { redis, random, live, clock, memoryQueue } = platform;
    this.#workerId = random.bytes(4).readUInt32BE() % MAX_WORKER_ID;
    this.#leases = redis && new Leases({ redis, clock, workerId: this.#workerId });
    this.#sender = createSender(platform, { ...(this.#leases && { ownership: this.#leases }), ...options });
    this.#unsubscribe = live.subscribe(DELIVERIES_TOPIC, (event) => {
      if (event.type === 'event.revised') memoryQueue.revise(event.data.eventId);
    });
    this.#outcomes = platform.metrics.counter(
      'parley_webhook_attempts_total',
      'Claimed events, by what became of them.',
    );
  }

  /** Stops claiming, and returns claimed events whose attempt has not begun. */
  drain(): void {
    this.#sender.isClosing = true;
    this.#sender.memoryQueue.close();
  }

  /**
   * Announces that this worker has events in memory, and takes over those of workers that are gone.
   *
   * @param wake begins a step of {@link sendHeld}
   */
  async beat(wake: () => void): Promise<void> {
    const { db, newId, memoryQueue, ownership } = this.#sender;
    // That of the ids of its events, which goes on if the clock is set back.
    const seenAt = timeOfId(newId('dlv'));
    const workerId = this.#workerId;
    const heldSince = Math.min(seenAt, memoryQueue.heldSince() ?? seenAt);
    const renewals = this.#leases?.renewals ?? 0;
    await db.write((tx) => upsertWorker(tx, { workerId, seenAt, heldSince, renewals }));
    // It may have begun to drain meanwhile.
    if (this.#sender.isClosing) return;
    memoryQueue.open({ workerId, until: seenAt + TAKES_MS, owns: (appId) => ownership.owns(appId), wake });
    const workers = await findWorkers(db);
    this.#leases?.compare(new Map(workers.map((worker) => [worker.workerId, worker.renewals])));
    const living = (await this.#leases?.findLiving()) ?? new Set();
    const dead = workers.filter((worker) => worker.workerId !== workerId && !living.has(worker.workerId));
    await recoverHeld(this.#sender, dead);
  }

  /**
   * Begins to send events that this process has in memory, and queues those that have waited too long. Returns after how
   * many milliseconds to do so again, if that is soon.
   */
  async sendHeld(): Promise<number | undefined> {
    const sender = this.#sender;
    const { memoryQueue, queues, breakers, clock, underWay } = sender;
    if (sender.isClosing) return undefined;
    const shortest = underWay.size < SOME_UNDER_WAY ? undefined : pause(minClaimMs(underWay.size));
    const sending = sendHeld(sender);
    if (sending) this.#track(sending);
    if (Math.abs(clock.now() - this.#sweptAt) >= SWEEP_MS) {
      this.#sweptAt = clock.now();
      await queueAll(
        sender,
        memoryQueue.takeOverdue((appId) => breakers.allowance(appId) !== undefined),
      );
    }
    await shortest;
    return memoryQueue.isWaiting() && queues.isPaced ? PACE_MS : undefined;
  }

  /**
   * Claims due events and begins to send them. Returns after how many milliseconds to claim again, if that is
   * soon.
   */
  async claim(): Promise<number | undefined> {
    const { queues, underWay } = this.#sender;
    const limit = Math.min(queues.free, MAX_CLAIMED);
    if (this.#sender.isClosing || !queues.hasRoom) return undefined;
    const shortest = pause(minClaimMs(underWay.size));
    const { finished, isFull, hasMore, isPaced, isIdle } = await deliverDue(this.#sender, { limit });
    this.#track(finished);
    if (!isFull) await shortest;
    if (hasMore) return 0;
    if (isPaced) return PACE_MS;
    return isIdle ? untilDue(this.#sender) : undefined;
  }

  /** Resolves when every attempt that has begun is recorded. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /**
   * The applications to which it is sending. Events whose commit is unknown do not count: nobody would send for their
   * applications, which should move to another worker, until it is known.
   */
  busy(): string[] {
    const { underWay, memoryQueue } = this.#sender;
    return [...new Set([...underWay.values(), ...memoryQueue.waiting()])];
  }

  /**
   * Renews the leases of its applications, and takes over those whose worker died; true if there are new
   * ones.
   */
  async renewLeases(): Promise<boolean> {
    return (await this.#leases?.renew(this.busy())) ?? false;
  }

  /**
   * Reads which circuit breakers are open, and counts overdue attempts behind those of this process as
   * failed. Returns after how many milliseconds to do so again, if not soon.
   */
  async tendBreakers(): Promise<number | undefined> {
    const { breakers, shards } = this.#sender;
    await breakers.refresh();
    const failed = await failAllOverdue(this.#sender);
    if (failed > 0) this.#count({ circuit_open: failed });
    return breakers.open().length > 0 ? undefined : restMs(shards);
  }

  resumeForgotten(): Promise<void> {
    return resumeForgotten(this.#sender);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.drain();
    await this.settled();
    await queueAll(
      this.#sender,
      this.#sender.memoryQueue.takeOverdue(() => true, 0),
    );
    this.#unsubscribe();
    await this.#leases?.leave();
    this.#sender[Symbol.dispose]();
  }

  #track(finished: Promise<StepCounts>): void {
    this.#underWay.add(finished);
    void finished.then((counts) => {
      this.#underWay.delete(finished);
      this.#count(counts);
    });
  }

  #count(counts: StepCounts | { circuit_open: number }): void {
    for (const [outcome, count] of Object.entries(counts)) this.#outcomes.add({ outcome }, count);
  }
}

function minClaimMs(underWay: number): number {
  return underWay < MANY_UNDER_WAY ? MIN_CLAIM_MS : MIN_CLAIM_OF_MANY_MS;
}

/**
 * How long nothing will be due, for a worker that found nothing; undefined for the usual time. What is recorded meanwhile
 * raises `dueDeliveries`.
 */
export async function untilDue({
  db,
  clock,
  shards,
  log,
  underWay,
}: Pick<Sender, 'db' | 'clock' | 'shards' | 'log' | 'underWay'>): Promise<number | undefined> {
  const rest = restMs(shards);
  if (rest === undefined || underWay.size > 0) return undefined;
  let isWhole = true;
  const found = await readEachShard(
    shards,
    (part) => findSoonest(db, { shards, part }),
    (err) => {
      isWhole = false;
      log.warn({ err }, 'the queue of a shard cannot be read');
    },
  );
  const leftMs = Math.min(...found) - clock.now();
  return isWhole && leftMs > 0 ? Math.min(rest, leftMs) : undefined;
}
