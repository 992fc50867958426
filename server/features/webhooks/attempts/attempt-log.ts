import { type Said, say, sayStored } from '#contract/reasons.ts';
import type { Values } from '#contract/texts.ts';
import type { Attempt, AttemptTimings } from '#contract/webhooks.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { PostResult } from '#platform/safe-fetch/safe-post.ts';
import { isDelivered } from '../rules.ts';

/**
 * A stored finished attempt: only numbers, our own text and the host, so that it contains neither the message
 * nor the receiver's response, which is sealed beside it. Only the host of the URL, because paths are often secrets.
 */
export interface AttemptEntry extends Omit<Attempt, 'timings' | 'values'> {
  values?: Values;
  /** dns, connect, tls, firstByte, total, in milliseconds. */
  timings?: (number | null)[];
}

/** The reason why a request was not made, by its error class. */
const NOT_MADE = {
  internal: 'attempt.internal',
  unreadable_event: 'attempt.unreadable-event',
  unreadable_url: 'attempt.unreadable-url',
  unreadable_secret: 'attempt.unreadable-secret',
} as const;

/** One of {@link NOT_MADE}. */
export type NotMade = keyof typeof NOT_MADE;

/** @param host of the request; undefined if none was made */
export function attemptEntry(
  attempt: number,
  at: number,
  result: PostResult | NotMade,
  host?: string,
): AttemptEntry {
  const made = { ...(host !== undefined && { host }), attempt, at };
  if (typeof result === 'string') return { ...made, errorClass: result, ...noted(say(NOT_MADE[result])) };
  const { dns, connect, tls, firstByte, total } = result.timings;
  const timings = [dns, connect, tls, firstByte, total];
  if (result.kind === 'failure') {
    const { reason, phase, said } = result;
    return { ...made, errorClass: reason, phase, ...noted(said), timings };
  }
  const { status } = result;
  if (isDelivered(result)) return { ...made, status, timings };
  const errorClass = status >= 300 && status < 400 ? 'redirect' : 'status';
  return { ...made, status, errorClass, ...noted(say(reasonOf(status), { status })), timings };
}

/** The stored form of a reason; the message is made from it when it is shown. */
function noted({ reason, values }: Said): Pick<AttemptEntry, 'reason' | 'values'> {
  return Object.keys(values).length > 0 ? { reason, values } : { reason };
}

export function viewAttempt({ timings, reason, values, ...entry }: AttemptEntry): Attempt {
  const said = reason === undefined ? undefined : sayStored(reason, values);
  return { ...entry, ...said, ...(timings && { timings: unpackTimings(timings) }) };
}

function unpackTimings([dns, connect, tls, firstByte, total]: (number | null)[]): AttemptTimings {
  return withoutAbsent({ dns, connect, tls, firstByte, total: total ?? 0 });
}

/** The remedy for an answer that is not 2xx, for the receiver's owner. */
function reasonOf(status: number) {
  if (status >= 300 && status < 400) return 'attempt.redirect';
  if (status === 401 || status === 403 || status === 407) return 'attempt.unauthorised';
  if (status === 404 || status === 410) return 'attempt.nothing-there';
  if (status === 405) return 'attempt.no-post';
  if (status === 413) return 'attempt.body-too-large';
  if (status === 429) return 'attempt.too-many';
  return status >= 500 ? 'attempt.receiver-failed' : 'attempt.not-2xx';
}
