import { type CachedKey, KeyChanged } from '#features/applications/index.ts';
import { isForeignKeyViolation } from '#platform/database.ts';
import { quoteNotFound } from './rules.ts';

interface Sent {
  msgId: string;
}

interface Send extends Sent {
  /** The key of the bot, when nobody has looked it up for this request. */
  cachedKey: CachedKey | null;
}

/** How messages of one kind are sent. */
export interface Sending<S extends Send> {
  /** Stores those that may go and were not stored before, comparing cached keys; returns their ids. */
  storePermitted(sends: S[]): Promise<ReadonlySet<string>>;
  /** The ids of those that an earlier try with the same Idempotency-Key stored. */
  findStored(sends: S[]): Promise<ReadonlySet<string>>;
  /** The error that answers each, where there is one. */
  refuse(sends: S[]): Promise<(Error | undefined)[]>;
}

/**
 * Sends what arrived together: nearly all of it may go, so that it is judged where it is stored, and only what was left
 * out is looked into. Each is answered for itself, after the commit.
 */
export async function sendBatch<S extends Send>(sending: Sending<S>, sends: S[]): Promise<(Sent | Error)[]> {
  const stored = await storeUnlessQuoteWent(sending, sends);
  if (!stored) {
    // A quoted message went away meanwhile. Whose it was shows when each is tried alone.
    if (sends.length === 1) return [quoteNotFound()];
    return (await Promise.all(sends.map((send) => sendBatch(sending, [send])))).flat();
  }
  const leftOut = sends.filter(({ msgId }) => !stored.has(msgId));
  if (leftOut.length === 0) return sends;
  // Whether it was the key or the message shows once the key was looked up.
  const confirmed = leftOut.filter(({ cachedKey }) => !cachedKey);
  const answers = confirmed.length > 0 ? await answerLeftOut(sending, confirmed) : undefined;
  return sends.map((send) => answers?.get(send) ?? (stored.has(send.msgId) ? send : new KeyChanged()));
}

async function storeUnlessQuoteWent<S extends Send>(
  sending: Sending<S>,
  sends: S[],
): Promise<ReadonlySet<string> | undefined> {
  try {
    return await sending.storePermitted(sends);
  } catch (error) {
    if (isForeignKeyViolation(error)) return undefined;
    throw error;
  }
}

async function answerLeftOut<S extends Send>(sending: Sending<S>, sends: S[]): Promise<Map<S, Sent | Error>> {
  const [stored, refusals] = await Promise.all([sending.findStored(sends), sending.refuse(sends)]);
  const answers = new Map<S, Sent | Error>();
  // What stood against these has just been taken away, as when a person unblocks the bot.
  const retried: S[] = [];
  for (const [i, send] of sends.entries()) {
    const refusal = refusals[i];
    if (stored.has(send.msgId)) answers.set(send, send);
    else if (refusal) answers.set(send, refusal);
    else retried.push(send);
  }
  if (retried.length > 0) {
    const answered = await sendBatch(sending, retried);
    for (const [i, send] of retried.entries()) answers.set(send, answered[i] as Sent | Error);
  }
  return answers;
}
