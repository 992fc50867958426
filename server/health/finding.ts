import { type PlainReason, type Reason, type Said, say, type ValuesOf } from '#contract/reasons.ts';
import type { Config } from '#platform/config.ts';
import { ApiError } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';

/** The result of a check: nothing to do, something to look at, or something that has to be fixed. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'fault';
  what: string;
  /** The remedy, for the operator. */
  remedy?: string;
  /** Both for pages in other languages, where available. */
  said: { what: Said | undefined; remedy: Said | undefined };
}

export interface DoctorDeps extends Pick<Platform, 'clock' | 'random'> {
  config: Config;
  /** Less free disk than this is a fault. */
  minFreeBytes: number;
  /** How many rows of each table to decrypt. */
  maxRows: number;
  /** A URL to try in addition to those of the applications. */
  webhookUrl: string | undefined;
}

/** A sentence, as a reason if pages translate it. */
type Sentence = string | Said;

export function ok(check: string, what: Sentence): Finding {
  return find('ok', check, what);
}

export function warning(check: string, what: Sentence, remedy: Sentence): Finding {
  return find('warning', check, what, remedy);
}

export function fault(check: string, what: Sentence, remedy: Sentence): Finding {
  return find('fault', check, what, remedy);
}

/** A reason whose remedy has its name, and needs no values. */
type Remediable = {
  [R in PlainReason]: R extends `${infer Base extends Reason}.remedy` ? Base : never;
}[PlainReason];

/** A warning with the remedy of its reason. */
export function warningOf<R extends Remediable>(check: string, reason: R, ...values: ValuesOf<R>): Finding {
  return warning(check, say(reason, ...values), remedyOf(reason));
}

/** A fault with the remedy of its reason. */
export function faultOf<R extends Remediable>(check: string, reason: R, ...values: ValuesOf<R>): Finding {
  return fault(check, say(reason, ...values), remedyOf(reason));
}

function remedyOf(reason: Remediable): Said {
  return say(`${reason}.remedy` as PlainReason);
}

function find(state: Finding['state'], check: string, what: Sentence, remedy?: Sentence): Finding {
  const said = [what, remedy].map((sentence) => (typeof sentence === 'object' ? sentence : undefined));
  return {
    check,
    state,
    what: textOf(what),
    ...(remedy !== undefined && { remedy: textOf(remedy) }),
    said: { what: said[0], remedy: said[1] },
  };
}

const textOf = (sentence: Sentence) => (typeof sentence === 'string' ? sentence : sentence.message);

/** The short name of what went wrong, such as `ECONNREFUSED`; of PostgreSQL, whose codes are numbers, its sentence. */
export function reasonOf(error: unknown): string {
  // Clients are told no more: either nobody answered in time, or the cause is the reason.
  if (error instanceof ApiError && error.status === 503)
    return error.cause === undefined ? 'no answer' : reasonOf(error.cause);
  if (error instanceof Error && error.name === 'AbortError') return 'no answer';
  // Of `fetch`, which says no more than that it failed.
  if (error instanceof TypeError && error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof Error && 'severity' in error) return error.message;
  const { code, message, cause } = error as NodeJS.ErrnoException & {
    cause?: { code?: string; message?: string };
  };
  return code ?? cause?.code ?? (message || cause?.message || 'no reason given');
}
