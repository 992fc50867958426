import { createChance } from '../chance.ts';
import { type Choose, Unrepeatable } from './scheduler.ts';

/** One order after another; `run` carries one out and returns it. */
export interface Explored {
  orders: number;
  /** Whether no other order is possible. */
  areAll: boolean;
  /** All orders with at most so many switches away from a request that could have gone on. */
  switches: number;
}

interface Prefix {
  order: string;
  switches: number;
}

/**
 * Carries out every order once, those with fewer switches first, until there are no more or the limit is reached. A switch
 * counts only if the request before could have gone on: few are enough for most faults. One that cannot be repeated does not
 * count.
 */
export async function exploreAll(
  run: (choose: Choose) => Promise<unknown>,
  limit: number,
): Promise<Explored> {
  const waiting: Prefix[][] = [[{ order: '', switches: 0 }]];
  let orders = 0;
  for (;;) {
    const least = waiting.findIndex((prefixes) => prefixes?.length > 0);
    if (least < 0) return { orders, areAll: true, switches: waiting.length - 1 };
    if (orders === limit) return { orders, areAll: false, switches: least - 1 };
    const prefix = waiting[least]?.shift() as Prefix;
    const add = (order: string, switches: number) => {
      waiting[switches] ??= [];
      waiting[switches].push({ order, switches });
    };
    let done = '';
    const choose: Choose = (enabled, last) => {
      const canGoOn = last !== undefined && enabled.includes(last);
      const given = prefix.order[done.length];
      const chosen = given ?? (canGoOn ? last : (enabled[0] as string));
      if (given === undefined)
        for (const other of enabled)
          if (other !== chosen) add(done + other, prefix.switches + (canGoOn ? 1 : 0));
      done += chosen;
      return chosen;
    };
    try {
      await run(choose);
      orders++;
    } catch (error) {
      if (!(error instanceof Unrepeatable)) throw error;
    }
  }
}

export function atRandom(seed: string): Choose {
  const { oneOf } = createChance(seed);
  return (enabled) => oneOf(enabled);
}

/** The order of an earlier run. */
export function repeating(order: string): Choose {
  let step = 0;
  return (enabled) => order[step++] ?? (enabled[0] as string);
}
