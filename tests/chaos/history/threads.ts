import {
  type Answered,
  all,
  answered,
  type History,
  type Operation,
  type Read,
  type Send,
} from './operations.ts';

/** Ids hold the milliseconds of their creation, so that nearer ones may be in either order. */
const SLACK_MS = 10;

/**
 * Every acknowledged message is in every reader's thread exactly once, in one order for all, which agrees with the order of calls;
 * nothing is seen that was not sent, and nothing that was seen or acknowledged is missing later.
 */
export function checkThreads({ threads, operations }: History): string[] {
  return Object.entries(threads).flatMap(([thread, { readers }]) => {
    const sends = all(operations, 'send').filter((send) => send.thread === thread);
    const reads = answered(operations, 'read').filter((read) => read.thread === thread);
    return checkThread(thread, readers, sends, reads).map((fault) => `${thread}: ${fault}`);
  });
}

function checkThread(
  thread: string,
  readers: readonly string[],
  sends: readonly Send[],
  reads: readonly Answered<'read'>[],
): string[] {
  const faults: string[] = [];
  const final = reads.filter(({ isFinal }) => isFinal);
  const unread = readers.filter((reader) => !final.some(({ by }) => by === reader));
  if (unread.length > 0) return [`${unread} did not read ${thread} at the end`];
  const order = final[0]?.messages ?? [];
  const places = new Map(order.map(({ text }, place) => [text, place]));
  for (const { by, messages } of final)
    if (JSON.stringify(messages) !== JSON.stringify(order))
      faults.push(`${by} sees another thread than ${final[0]?.by}`);

  const sent = new Map(sends.map((send) => [send.text, send]));
  /** Since when a message must be seen. */
  const known = new Map<string, number>();
  const learn = (text: string, at: number) => known.set(text, Math.min(at, known.get(text) ?? at));
  for (const { text, msgId, completed } of sends) {
    if (completed === undefined) continue;
    learn(text, completed);
    const stored = order[places.get(text) ?? -1];
    if (!stored) faults.push(`"${text}" was acknowledged, and is lost`);
    else if (msgId !== undefined && stored.msgId !== msgId)
      faults.push(`"${text}" has another id than its answer`);
  }
  for (const { messages = [], completed } of reads) for (const { text } of messages) learn(text, completed);
  for (const read of reads) faults.push(...checkRead(read, { sent, known, places }));
  return [...faults, ...checkCallOrder(order, sent)];
}

interface Known {
  sent: ReadonlyMap<string, Send>;
  known: ReadonlyMap<string, number>;
  places: ReadonlyMap<string, number>;
}

function checkRead(read: Answered<'read'>, { sent, known, places }: Known): string[] {
  const { by, messages = [], invoked, completed, isWhole } = read;
  const faults: string[] = [];
  const texts = messages.map(({ text }) => text);
  const seen = new Set(texts);
  if (seen.size < texts.length) faults.push(`${by} sees "${twice(texts)}" twice`);
  for (const text of seen) {
    const send = sent.get(text);
    if (!send || send.invoked > completed) faults.push(`${by} sees "${text}", which nobody sent`);
    else if (!places.has(text)) faults.push(`${by} saw "${text}", which is gone`);
  }
  const order = texts.map((text) => places.get(text) ?? -1);
  if (order.some((place, i) => place < (order[i - 1] ?? -1)))
    faults.push(`${by} sees "${texts.join('", "')}" in another order`);
  const first = isWhole ? 0 : Math.min(...order);
  for (const [text, place] of places)
    if (place >= first && !seen.has(text) && (known.get(text) ?? completed) < invoked)
      faults.push(`${by} does not see "${text}", which was there before`);
  return faults;
}

/** What was sent after an answer comes after what was answered. */
function checkCallOrder(order: Read['messages'] & object, sent: ReadonlyMap<string, Send>): string[] {
  const faults: string[] = [];
  let earliest: { text: string; completed: number } | undefined;
  for (const { text } of order.toReversed()) {
    const { invoked = 0, completed } = sent.get(text) ?? {};
    if (earliest && earliest.completed + SLACK_MS < invoked)
      faults.push(`"${text}" was sent after "${earliest.text}" was answered, and is before it`);
    if (completed !== undefined && completed < (earliest?.completed ?? Number.POSITIVE_INFINITY))
      earliest = { text, completed };
  }
  return faults;
}

/** A read marker never goes back. Ids of messages sort by their place. */
export function checkMarks({ operations }: Pick<History, 'operations'>): string[] {
  const marks = answered(operations, 'mark');
  return marks.flatMap(({ by, thread, invoked, shown = '' }) => {
    const earlier = marks.filter((one) => one.by === by && one.thread === thread && one.completed < invoked);
    const least =
      earlier
        .flatMap(({ upTo = '', shown = '' }) => [upTo, shown])
        .sort()
        .at(-1) ?? '';
    return shown < least
      ? [`${thread}: the marker of ${by} is at ${shown || 'nothing'}, and was at ${least}`]
      : [];
  });
}

/** The threads whose events a bot gets, by the messages of others that are in them at the end. */
export function eventsOf({ threads, operations }: History, bot: string): Map<string, string> {
  const senders = new Map(all(operations, 'send').map(({ thread, text, by }) => [thread + text, by]));
  const expected = new Map<string, string>();
  for (const [thread, { bots }] of Object.entries(threads)) {
    if (!bots.includes(bot)) continue;
    for (const { msgId, text } of finalMessages(operations, thread))
      if (senders.get(thread + text) !== bot) expected.set(msgId, text);
  }
  return expected;
}

function finalMessages(operations: readonly Operation[], thread: string) {
  return answered(operations, 'read').find((read) => read.isFinal && read.thread === thread)?.messages ?? [];
}

function twice(texts: readonly string[]): string | undefined {
  return texts.find((text, i) => texts.indexOf(text) < i);
}
