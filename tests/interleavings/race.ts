import type { Arena } from './arena.ts';
import { atRandom, type Explored, exploreAll, repeating } from './orders.ts';
import type { Choose, Work } from './scheduler.ts';

/** Concurrent requests, each on a server of its own, with people and rows of their own. */
type Prepare = (arena: Arena) => Promise<{
  works: readonly Work[];
  /** Throws if the state or an answer is not that of some order of the requests. */
  check(results: unknown[]): Promise<void>;
}>;

/** Concurrent requests, and what must hold whatever the order of their statements. */
export interface Race {
  prepare: Prepare;
  /** Parts of statements without which the race has an order that breaks what must hold. */
  guards: Record<string, Guard>;
}

export function race(guards: Race['guards'], prepare: Prepare): Race {
  return { guards, prepare };
}

/** Texts to be replaced, and by what; each must occur. */
export type Guard = readonly (readonly [text: RegExp, replacement: string])[];

/** What must hold did not. */
export class Violation extends Error {
  readonly order: string;

  constructor(order: string, statements: readonly string[], cause: unknown) {
    super(`order ${order}:\n${statements.join('\n')}\n${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
    this.order = order;
  }
}

/** Runs the race once. @throws Violation */
async function runOnce(arena: Arena, race: Race, choose: Choose): Promise<void> {
  // The ids of one millisecond are counted, up to a limit that thousands of runs would reach.
  arena.world.clock.advance({ milliseconds: 1 });
  const { works, check } = await race.prepare(arena);
  const { order, statements, results } = await arena.scheduler.run(works, choose);
  try {
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    await check(results.map((result) => (result.status === 'fulfilled' ? result.value : undefined)));
  } catch (error) {
    throw new Violation(order, statements, error);
  }
}

export interface Limits {
  orders: number;
  /** How many random orders come after those, if there are more. */
  random: number;
  seed: string;
}

/** Every order up to the limit, then random ones. @throws Violation */
export async function runRace(
  arena: Arena,
  race: Race,
  { orders, random, seed }: Limits,
): Promise<Explored & { random: number }> {
  const explored = await exploreAll((choose) => runOnce(arena, race, choose), orders);
  const more = explored.areAll ? 0 : random;
  for (let i = 0; i < more; i++) await runOnce(arena, race, atRandom(`${seed} ${i}`));
  return { ...explored, orders: explored.orders + more, random: more };
}

/** Runs the race in the order of an earlier run. @throws Violation */
export function repeat(arena: Arena, race: Race, order: string): Promise<void> {
  return runOnce(arena, race, repeating(order));
}

/** What the race finds wrong when the guard is missing. */
export async function findFault(
  arena: Arena,
  race: Race,
  guard: Guard,
  limits: Limits,
): Promise<Violation | undefined> {
  const unused = new Set(guard);
  arena.scheduler.rewrite = (statement) =>
    guard.reduce((before, part) => {
      const after = before.replace(...part);
      if (after !== before) unused.delete(part);
      return after;
    }, statement);
  try {
    await runRace(arena, race, limits);
    if (unused.size > 0)
      throw new Error(`no statement of the race contains ${[...unused].map(([text]) => text)}`);
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error;
    throw error;
  } finally {
    arena.scheduler.rewrite = (statement) => statement;
  }
}
