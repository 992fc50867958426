import type { Attempt, AttemptTimings } from '#contract/webhooks.ts';
import type { PostResult, Timings } from '#platform/safe-fetch/safe-post.ts';
import { isDelivered } from '../rules.ts';

/**
 * One finished attempt as its delivery keeps it: nothing but numbers and words of ours, so that neither the message nor
 * what the receiver answered, nor any address, can be in it.
 */
export interface AttemptEntry extends Omit<Attempt, 'timings'> {
  /** dns, connect, tls, firstByte, total, in milliseconds. */
  timings?: (number | null)[];
}

/** Why a request was not made, and what its owner has to do. */
const NOT_MADE = {
  internal: 'The request could not be made because of a fault on our side; it is tried again.',
  unreadable_event:
    'The stored event cannot be read: it is damaged, or its encryption key is missing. The operator of this server can find it in the log.',
  unreadable_secret: 'The webhook secret cannot be read, so nothing can be signed: make a new secret.',
  unreadable_url: 'The webhook URL cannot be read, so nothing can be sent: set it again.',
};

/** One of {@link NOT_MADE}. */
export type NotMade = keyof typeof NOT_MADE;

export function attemptEntry(attempt: number, at: number, result: PostResult | NotMade): AttemptEntry {
  if (typeof result === 'string') return { attempt, at, errorClass: result, message: NOT_MADE[result] };
  const timings = packTimings(result.timings);
  if (result.kind === 'failure') {
    const { reason, phase, message } = result;
    return { attempt, at, errorClass: reason, phase, message, timings };
  }
  const { status } = result;
  if (isDelivered(result)) return { attempt, at, status, timings };
  return { attempt, at, status, ...explainStatus(status), timings };
}

function packTimings({ dns, connect, tls, firstByte, total }: Timings): (number | null)[] {
  return [dns, connect, tls, firstByte, total];
}

export function viewAttempt({ timings, ...entry }: AttemptEntry): Attempt {
  return timings ? { ...entry, timings: unpackTimings(timings) } : entry;
}

function unpackTimings([dns, connect, tls, firstByte, total]: (number | null)[]): AttemptTimings {
  return {
    ...(dns != null && { dns }),
    ...(connect != null && { connect }),
    ...(tls != null && { tls }),
    ...(firstByte != null && { firstByte }),
    total: total ?? 0,
  };
}

/** Advice to the owner of a receiver that did not answer 2xx. */
function explainStatus(status: number): Required<Pick<Attempt, 'errorClass' | 'message'>> {
  if (status >= 300 && status < 400) {
    const message = `The receiver answered with a redirect (${status}); none is followed: set the final address as webhook URL.`;
    return { errorClass: 'redirect', message };
  }
  return { errorClass: 'status', message: `The receiver answered ${status}: ${adviceFor(status)}` };
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403 || status === 407) {
    return 'let the path of the webhook in without a login or firewall rule; its signature tells that it is us.';
  }
  if (status === 404 || status === 410) return 'nothing is served at the path of the webhook URL; check it.';
  if (status === 405) return 'the path of the webhook URL does not take POST.';
  if (status === 413) return 'allow bodies of at least 64 KiB.';
  if (status === 429) return 'it asks for fewer requests; answer 2xx at once and do the work later.';
  if (status >= 500) return 'it failed while handling the event; its own log tells why.';
  return 'only 2xx counts as delivered.';
}
