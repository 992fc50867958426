import { LIMITS } from '#contract/limits.ts';
import type { Clock } from '#platform/clock.ts';
import type { Outcome } from '../../../sdk/cli/kit.ts';
import { toColumns } from '../admin/columns.ts';
import { LEFT_OUT, type LeftOut } from './items.ts';
import type { Reading } from './records.ts';

/** A group that has more members than another one may have. */
export const FULL = 'whole; nobody else can join until the setting is raised';

/** All that is counted, and what becomes of it. */
const FOUND = {
  'people with an account here': 'their account, found by the address',
  'people of an earlier import': 'the account that they have from it',
  'new people': 'accounts without a password, which a link for a new password opens',
  'people without an address': 'accounts without a password, with an address that gets no mail',
  'people who had left': 'accounts that are suspended',
  groups: 'groups',
  'groups above MAX_GROUP_MEMBERS': FULL,
  'private conversations': 'private conversations',
  messages: 'messages, with their times; everybody has read them',
  'messages that are here': 'they stay as they are',
  files: 'uploads, which count for nobody’s limit',
  reactions: 'reactions',
  'pinned messages': `pinned messages, the newest ${LIMITS.pinnedMessages} of each conversation`,
} as const;

export type Found = keyof typeof FOUND;

/** Counts of an import. */
export class Report<What extends string = Found | LeftOut> {
  readonly #counts = new Map<string, number>();
  readonly #rows: Readonly<Record<string, string>>;

  /** @param rows what becomes of what is counted */
  constructor(rows: Readonly<Record<string, string>> = { ...FOUND, ...LEFT_OUT }) {
    this.#rows = rows;
  }

  count(what: What, by = 1): void {
    if (by > 0) this.#counts.set(what, this.of(what) + by);
  }

  of(what: What): number {
    return this.#counts.get(what) ?? 0;
  }

  get counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  /** A table of what there is, what has no equivalent, and what becomes of it. */
  get table(): string {
    const rows = Object.entries(this.#rows).flatMap(([what, becomes]) => {
      const count = this.#counts.get(what);
      return count === undefined ? [] : [[count.toLocaleString('en'), what, becomes]];
    });
    return toColumns([['count', 'in the export', 'here'], ...rows]);
  }
}

/** Flags of every command that imports. */
export const IMPORT_FLAGS = {
  'dry-run': 'change nothing: count, and show what becomes of what',
  'match-unconfirmed': 'also give messages to accounts that have not confirmed their address',
};

/** How the import was asked for. */
export function readImportFlags(flags: ReadonlySet<string>) {
  return { isDry: flags.has('dry-run'), matchesUnconfirmed: flags.has('match-unconfirmed') };
}

/** How a command that imports ends. */
export function toOutcome({ table, counts }: Pick<Report, 'table' | 'counts'>, isDry: boolean): Outcome {
  const end = isDry ? 'Nothing was changed.' : 'The import is complete.';
  return { text: `${table}\n\n${end}`, data: { isDry, counts } };
}

const EVERY_MS = 5_000;

/** Shows how far an import is, by the bytes of its text that have been read. */
export class Progress implements Reading {
  readonly #clock: Clock;
  readonly #show: (line: string) => void;
  readonly #startedAt: number;
  #shownAt: number;
  #read = 0;
  #total = 0;

  constructor(clock: Clock, show: (line: string) => void) {
    this.#clock = clock;
    this.#show = show;
    this.#startedAt = clock.now();
    this.#shownAt = this.#startedAt;
  }

  readonly expect = (bytes: number): void => {
    this.#total += bytes;
  };

  readonly onBytes = (count: number): void => {
    this.#read += count;
  };

  step(messages: number): void {
    const now = this.#clock.now();
    if (now - this.#shownAt < EVERY_MS) return;
    this.#shownAt = now;
    const seconds = (now - this.#startedAt) / 1000;
    const share = Math.min(this.#read / this.#total, 1);
    const left = share > 0 ? Math.round((seconds / share) * (1 - share)) : 0;
    const rate = Math.round(messages / seconds);
    this.#show(
      `${Math.floor(share * 100)} %: ${messages.toLocaleString('en')} messages, ${rate.toLocaleString('en')} per second, ${describe(left)} left`,
    );
  }
}

function describe(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
