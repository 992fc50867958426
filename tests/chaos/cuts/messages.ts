import { countUnheard, type Pair, readThread, sendAsBot, signIn } from '../population.ts';

const WRITERS = 4;
const EVENTS_WITHIN_MS = 40_000;

/** A message as its writer knows it. Times are epoch milliseconds. */
export interface Send {
  pair: Pair;
  content: string;
  begunAt: number;
  acknowledgedAt: number;
  msgId: string;
}

/** Each person and each bot writes one message after another, in several places at once, until the signal aborts. */
export async function writeUntil(signal: AbortSignal, origin: string, pairs: Pair[]): Promise<Send[]> {
  const sends: Send[] = [];
  const writeAll = async (pair: Pair, name: string, write: (content: string) => Promise<string>) => {
    for (let i = 0; !signal.aborted; i++) {
      const content = `${name}: ${i}`;
      const begunAt = Date.now();
      const msgId = await write(content);
      // The clock counts whole milliseconds, and the answer may have come at the end of this one.
      sends.push({ pair, content, begunAt, acknowledgedAt: Date.now() + 1, msgId });
    }
  };
  const writers = pairs.map(async (pair) => {
    const person = await signIn(origin, pair);
    const fromPerson = async (content: string) => {
      const message = { to: pair.botId, type: 'text', content };
      return (await person.post<{ msgId: string }>('/api/chat/messages', message)).msgId;
    };
    const fromBot = (content: string) => sendAsBot(origin, pair, content);
    const places = Array.from({ length: WRITERS }, (_, i) => i);
    await Promise.all(
      places.flatMap((i) => [writeAll(pair, `person ${i}`, fromPerson), writeAll(pair, `bot ${i}`, fromBot)]),
    );
  });
  await Promise.all(writers);
  return sends;
}

/**
 * What is wrong with a server after a power cut at that moment: in its threads must be each message that was acknowledged before, once,
 * and none that was not begun; and a bot must have one event in its feed, and a webhook, for each message to it, and for no other.
 *
 * @param heard msgIds of webhooks before the cut, and from this server
 */
export async function faultsAfterCut(
  origin: string,
  { cutAt, pairs, sends, heard }: { cutAt: number; pairs: Pair[]; sends: Send[]; heard: Set<string> },
): Promise<string[]> {
  const faults: string[] = [];
  const expectNone = (wrong: string[], fault: string) => {
    if (wrong.length > 0) faults.push(`${wrong.length} ${fault}, such as ${wrong[0]}`);
  };
  const owed: string[] = [];
  for (const pair of pairs) {
    const own = sends.filter((send) => send.pair === pair);
    const thread = await readThread(origin, pair);
    const stored = thread.map(({ msgId }) => msgId);
    const contents = thread.map(({ content = '' }) => content);
    const acknowledged = own.filter(({ acknowledgedAt }) => acknowledgedAt <= cutAt);
    const begun = own.filter(({ begunAt }) => begunAt <= cutAt).map(({ content }) => content);
    expectNone(
      without(
        acknowledged.map(({ msgId }) => msgId),
        stored,
      ),
      'acknowledged messages are lost',
    );
    expectNone(without(contents, ['first', ...begun]), 'messages were not sent');
    expectNone(repeated(contents), 'messages are stored twice');

    const toBot = thread.filter(({ from }) => from === pair.userId).map(({ msgId }) => msgId);
    const events = await readFeed(origin, pair);
    expectNone(without(toBot, events), 'messages have no event');
    expectNone(without(events, toBot), 'events have no message');
    expectNone(repeated(events), 'events are in the feed twice');
    owed.push(...toBot);
  }
  const unheard = await countUnheard(new Set(owed), heard, EVENTS_WITHIN_MS);
  if (unheard > 0) faults.push(`${unheard} webhooks do not come`);
  expectNone(without([...heard], owed), 'webhooks came of messages that are not there');
  return faults;
}

/** The msgIds of the events in the bot's feed. */
async function readFeed(origin: string, { apiKey }: Pair): Promise<string[]> {
  const found: string[] = [];
  let query = '';
  do {
    const headers = { authorization: `Bearer ${apiKey}` };
    const { data } = (await (await fetch(`${origin}/v1/events${query}`, { headers })).json()) as {
      data: { events: { event: { data: { msgId: string } } }[]; nextAfter: string; hasMore: boolean };
    };
    found.push(...data.events.map(({ event }) => event.data.msgId));
    query = data.hasMore ? `?after=${data.nextAfter}` : '';
  } while (query);
  return found;
}

function without(all: string[], others: string[]): string[] {
  const known = new Set(others);
  return all.filter((one) => !known.has(one));
}

function repeated(all: string[]): string[] {
  return all.filter((one, i) => all.indexOf(one) !== i);
}
