import type { Clock } from '#platform/clock.ts';
import { unavailable } from '#platform/errors.ts';
import { FixedWindow } from '#platform/rate-limits.ts';

/** The groups to which a caller belongs, in the order in which they are compared. */
export type QueueGroups = readonly string[];

interface Waiting {
  groups: QueueGroups;
  start: () => void;
  refuse: (error: Error) => void;
}

const ANY_NUMBER = Number.MAX_SAFE_INTEGER;

/**
 * Runs a limited number of expensive tasks concurrently. Callers with fewer recent tasks go first; if a group
 * does not decide, the next one does. When too many wait, the last in order is refused with 503.
 */
export class FairQueue {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  /** How much each group had recently. */
  readonly #had: FixedWindow;
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(
    clock: Clock,
    { atOnce, maxWaiting, windowMs }: { atOnce: number; maxWaiting: number; windowMs: number },
  ) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
    this.#had = new FixedWindow(clock, { windowMs });
  }

  /** @throws ApiError 503 when too many wait and nobody has had more; and whatever the work throws */
  async run<T>(groups: QueueGroups, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#turn(groups);
    for (const group of groups) this.#had.hit(group, ANY_NUMBER);
    try {
      return await work();
    } finally {
      const next = this.#takeOut(this.#findQuietest());
      // The slot is passed on, so that a new caller does not overtake waiting ones.
      if (next) next.start();
      else this.#running--;
    }
  }

  #turn(groups: QueueGroups): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ groups, start: resolve, refuse: reject });
      if (this.#waiting.length > this.#maxWaiting) this.#takeOut(this.#findLoudest())?.refuse(unavailable());
    });
  }

  #findQuietest(): number {
    return this.#find(
      (group) => this.#count(group),
      (one, other) => one < other,
    );
  }

  /** Waiting tasks count, too: a caller that fills the queue has had none yet. */
  #findLoudest(): number {
    const asked = new Map<string, number>();
    for (const { groups } of this.#waiting)
      for (const group of groups) asked.set(group, (asked.get(group) ?? this.#count(group)) + 1);
    return this.#find(
      (group) => asked.get(group) ?? 0,
      (one, other) => one >= other,
    );
  }

  /** The waiting task that is first in order, by the first group in which they differ. */
  #find(amount: (group: string) => number, isBefore: (one: number, other: number) => boolean): number {
    const amounts = this.#waiting.map(({ groups }) => groups.map(amount));
    return amounts.reduce((best, those, i) => {
      const level = those.findIndex((own, at) => own !== (amounts[best]?.[at] ?? 0));
      const own = those[Math.max(level, 0)] ?? 0;
      return isBefore(own, amounts[best]?.[Math.max(level, 0)] ?? 0) ? i : best;
    }, 0);
  }

  #takeOut(at: number): Waiting | undefined {
    return this.#waiting.splice(at, 1)[0];
  }

  #count(group: string): number {
    return ANY_NUMBER - this.#had.peek(group, ANY_NUMBER).remaining;
  }
}
