import { type Chance, createChance } from '../chance.ts';

/** The steps of `cut-off-page`; repeated ones are more likely. */
const PAGE_STEPS = ['hear', 'hear', 'hear', 'open', 'open', 'writeText', 'cut', 'restart', 'rest'] as const;

/** What may happen while a page is open; repeated ones are more likely. */
const PAGE_EVENTS = [
  ['hear', 'sayElsewhere', 'sayInGroup', 'edit', 'erase', 'eraseForOneself', 'react', 'mention'],
  ['forward', 'pinMessage', 'unpinMessage', 'poll', 'vote', 'closePoll', 'addMember', 'removeMember'],
  ['changeRole', 'changeGroup', 'replaceGroup', 'makeGroup', 'tellStory', 'deleteStory', 'block'],
  ['unblock', 'readElsewhere', 'readByOthers', 'deliverToOthers', 'type', 'hideReceipts'],
  ['hideOwnReceipts', 'draft', 'draftToStranger', 'endAccount', 'rename', 'pin', 'archive', 'mute', 'hide'],
  ['edit', 'erase', 'react', 'react', 'hear', 'sayElsewhere', 'sayInGroup', 'sayInGroup', 'mention'],
  ['archive', 'pinMessage', 'hide', 'readElsewhere', 'readByOthers', 'readByOthers', 'deliverToOthers'],
] as const;

/**
 * What each scenario does by chance: what, when, to whom and for how long. Scenarios that are not here make no choices. A choice
 * among what exists only during the run has a seed of its own. Of endless lists, a run takes as many entries as it needs.
 */
const PLANS = {
  'power-cut': ({ oneOf, between }: Chance) => ({
    kills: times(20, () => ({
      victim: oneOf(['server', 'database', 'both'] as const),
      afterMs: between(500, 1_500),
      /** How long a server goes on without its database. */
      withoutDatabaseMs: between(500, 2_500),
    })),
  }),
  'postgres-cuts': ({ oneOf, fraction, seed }: Chance) => ({
    /** After which fraction of the calls on a folder of the database each cut comes, and what it leaves of torn pages. */
    cuts: times(6, () => ({ folder: oneOf(['pg_wal', 'base']), at: fraction(), torn: times(2, seed) })),
  }),
  webhooks: ({ between, fraction }: Chance) => ({
    kills: times(1_000, () => ({ afterMs: between(200, 1_200), victim: between(0, 3) })),
    /** Of the receiver, in the order of requests. */
    answers: times(2_000, () => ({ afterMs: between(20, 100), isRefusal: fraction() < 0.02 })),
  }),
  history: ({ oneOf, between, seed }: Chance) => ({
    clients: seed(),
    defects: seed(),
    kills: times(6, () => ({
      victim: oneOf(['process', 'database', 'server'] as const),
      afterMs: between(2_000, 4_000),
      /** Of the two, if one is killed. */
      process: between(0, 1),
    })),
  }),
  'killed-process': ({ between }: Chance) => ({
    kills: times(5, () => ({ victim: between(0, 2), afterEvents: between(50, 150) })),
  }),
  'cancelled-statements': ({ between, fraction }: Chance) => ({
    /** Which of the running statements: a bit for each of them, by process id. */
    cancellations: times(1_000, () => ({ statements: between(0, 255), thenMs: fraction() * 4 })),
  }),
  'cut-off-page': ({ oneOf, between, seed }: Chance) => ({
    rounds: times(15, () =>
      times(14, () => ({ name: oneOf(PAGE_STEPS), peer: between(0, 2), seed: seed() })),
    ),
  }),
  'open-page': ({ oneOf, isHeads, between, seed }: Chance) => ({
    rounds: times(200, () => ({
      place: seed(),
      isCut: isHeads(),
      offlineMs: between(0, 1_500),
      areAtOnce: isHeads(),
      events: times(between(1, 20), () => ({ name: oneOf(PAGE_EVENTS.flat()), seed: seed() })),
    })),
  }),
  backups: ({ oneOf, fraction }: Chance) => ({
    /** When a backup is stopped: after which fraction of its bytes. */
    stops: times(25, () => ({ at: fraction(), signal: oneOf(['SIGTERM', 'SIGINT'] as const) })),
  }),
  'black-hole': ({ between }: Chance) => ({ startAfterMs: times(30, () => between(0, 1_000)) }),
  'late-commit': ({ between, fraction }: Chance) => ({
    rounds: times(5, () => ({
      lockedMs: between(2_000, 3_000),
      freeMs: between(1_000, 2_000),
      /** Which lock is held at the kill, and for which part of its time. */
      lock: between(1, 3),
      at: fraction(),
    })),
  }),
  overload: ({ between, seed }: Chance) => ({ clients: seed(), hosts: times(100, () => between(0, 2)) }),
};

export type Scenario = keyof typeof PLANS;
export type Plan<Name extends Scenario> = ReturnType<(typeof PLANS)[Name]>;

export const PLANNED = Object.keys(PLANS) as Scenario[];

export function planOf<Name extends Scenario>(name: Name, seed: number): Plan<Name> {
  return PLANS[name](createChance(`${name} ${seed}`)) as Plan<Name>;
}

/** The entry with this number of a list that begins again at its end. */
export function nth<T>(all: readonly T[], number: number): T {
  return all[number % all.length] as T;
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
