import type { Timeline, TimelineItem } from '#contract/applications/simulator.ts';
import { bucketOf, firstIdAt, privateConversationId } from '#platform/ids.ts';
import { readAsTestPerson, type SimulatorDeps, type TestChat } from './simulator.ts';

const REQUESTS = 100;

/**
 * Messages of the test person and the bot, their events, and the bot's API requests in that time, newest first.
 * A page reaches back only as far as all three are known.
 */
export async function readTimeline(
  deps: Pick<SimulatorDeps, 'applications' | 'messages' | 'polls' | 'webhooks'>,
  { appId, ...chat }: TestChat & { appId: string },
  before: string | undefined,
): Promise<Timeline> {
  const { applications, webhooks } = deps;
  await applications.recorder.flushLog();
  const until = before === undefined ? undefined : Number(before);
  const [{ messages, nextBefore }, requests] = await Promise.all([
    readAsTestPerson(deps, chat, until === undefined ? {} : { before: firstIdAt('msg', until) }),
    applications.findLatestRequests(appId, {
      ...(until !== undefined && { before: firstIdAt('req', until) }),
      limit: REQUESTS,
    }),
  ]);
  const events = await webhooks.findEventsOfMessages({
    appId,
    bucket: bucketOf(privateConversationId(chat.testPersonId, chat.botId)),
    msgIds: messages.map(({ msgId }) => msgId),
  });
  const items: TimelineItem[] = [
    ...messages.map((message) => ({ kind: 'message' as const, at: message.sentAt, message })),
    ...events.map((event) => ({ kind: 'event' as const, at: event.createdAt, event })),
    ...requests.map((request) => ({ kind: 'request' as const, at: request.at, request })),
  ];
  const ends = [
    ...(nextBefore === undefined ? [] : [messages.at(-1)?.sentAt ?? 0]),
    ...(requests.length < REQUESTS ? [] : [requests.at(-1)?.at ?? 0]),
  ];
  const known = Math.min(Math.max(...ends), (until ?? Number.POSITIVE_INFINITY) - 1);
  const isLast = ends.length === 0;
  const shown = isLast ? items : items.filter(({ at }) => at >= known);
  // At the same time, causes come before effects; the newest are first.
  const order = { message: 0, event: 1, request: 2 };
  shown.sort((one, other) => other.at - one.at || order[other.kind] - order[one.kind]);
  return { items: shown, ...(!isLast && { nextBefore: String(known) }) };
}
