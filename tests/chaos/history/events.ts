import { type Answered, answered, type History } from './operations.ts';
import { eventsOf } from './threads.ts';

/**
 * After an outage, another process may take over deliveries until the leases of a dead one have ended, and the end of a lease may be
 * found a moment later.
 */
export const TAKE_OVER_MS = 15_000;

/**
 * Each message reaches each of its bots at least once, by webhook and in the feed, and nothing else does. A webhook is repeated only
 * around an outage, at most once for each, and byte for byte.
 */
export function checkEvents(history: History): string[] {
  const bots = new Set(Object.values(history.threads).flatMap(({ bots }) => bots));
  return [...bots].flatMap((bot) => {
    const expected = eventsOf(history, bot);
    const heard = answered(history.operations, 'heard').filter(({ by }) => by === bot);
    const feeds = answered(history.operations, 'feed').filter(({ by }) => by === bot);
    const final = feeds.filter(({ isFinal }) => isFinal).flatMap(({ events = [] }) => events);
    const faults = [
      ...compare(expected, new Set(heard.map(({ msgId }) => msgId)), 'webhook'),
      ...compare(expected, new Set(final.map(({ msgId }) => msgId)), 'feed'),
      ...checkRepeats(history, heard),
      ...checkFeed(history, bot, feeds, final),
    ];
    if (new Set(final.map(({ msgId }) => msgId)).size < final.length)
      faults.push('an event is in the feed twice');
    return faults.map((fault) => `${bot}: ${fault}`);
  });
}

function compare(expected: ReadonlyMap<string, string>, got: ReadonlySet<string>, way: string): string[] {
  const lost = [...expected].filter(([msgId]) => !got.has(msgId));
  const strange = [...got].filter((msgId) => !expected.has(msgId));
  return [
    ...lost.map(([, text]) => `the event of "${text}" is lost (${way})`),
    ...strange.map((msgId) => `there is an event of ${msgId}, which is in no thread (${way})`),
  ];
}

function checkRepeats({ outages }: History, heard: readonly Answered<'heard'>[]): string[] {
  const byMessage = Object.groupBy(heard, ({ msgId }) => msgId);
  return Object.entries(byMessage).flatMap(([msgId, all = []]) => {
    const faults: string[] = [];
    if (new Set(all.map(({ body }) => body)).size > 1)
      faults.push(`the event of ${msgId} changed when it was repeated`);
    const [first, last] = [all[0]?.invoked ?? 0, all.at(-1)?.invoked ?? 0];
    const allowed = outages.filter(({ from, until }) => from <= last && until + TAKE_OVER_MS >= first).length;
    if (all.length > 1 + allowed)
      faults.push(`the event of ${msgId} came ${all.length} times without a reason`);
    return faults;
  });
}

/** Pages are parts of one list without gaps; what was acknowledged does not come back, and nothing else is passed over. */
function checkFeed(
  { operations }: History,
  bot: string,
  feeds: readonly Answered<'feed'>[],
  final: NonNullable<Answered<'feed'>['events']>,
): string[] {
  const acknowledged = operations.filter((one) => one.kind === 'acknowledge' && one.by === bot);
  const upTo = (isSure: boolean, at: number) =>
    Math.max(
      0,
      ...acknowledged.flatMap((one) => {
        const when = isSure ? (one.completed ?? Number.POSITIVE_INFINITY) : one.invoked;
        return one.kind === 'acknowledge' && when < at ? one.upTo : [];
      }),
    );
  return feeds.flatMap(({ after, events = [], invoked, completed }) => {
    const [least, most] =
      after === undefined ? [upTo(true, invoked), upTo(false, completed)] : [after, after];
    const first = events[0]?.cursor ?? Number.POSITIVE_INFINITY;
    const last = events.at(-1)?.cursor ?? 0;
    const faults: string[] = [];
    if (first <= least) faults.push(`the feed went back to ${first}, after ${least} was acknowledged`);
    const part = final.filter(({ cursor }) => cursor >= first && cursor <= last);
    if (JSON.stringify(part) !== JSON.stringify(events))
      faults.push(`a page of the feed after ${least} changed later`);
    const isKnown = ({ cursor }: { cursor: number }) =>
      events.length > 0 ||
      feeds.some((one) => one.completed < invoked && one.events?.some((event) => event.cursor === cursor));
    const passed = final.find((event) => event.cursor > most && event.cursor < first && isKnown(event));
    if (passed) faults.push(`the feed passed over ${passed.cursor}`);
    return faults;
  });
}
