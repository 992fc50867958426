import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Pool } from 'undici';
import { systemClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { startParley } from '../tests/processes.ts';
import { createScratch } from '../tests/scratch.ts';
import { loadServer, percentile } from './load.ts';
import { privateSend } from './report.ts';
import { seedBots } from './seed.ts';
import { type SeededGroup, seedGroups } from './seed-groups.ts';
import { seedSessions } from './seed-sessions.ts';

const STREAMS = 200;
const READERS_OF_EACH = 5;
const UPDATES_PER_SECOND = 20;
const CONNECTIONS = 64;
const SECONDS = 8;
const LETTERS = 600;
const OPEN_AT_ONCE = 50;
/** How a bot shows its text: by a call for each update, or in the lines of one request. */
const WAYS = ['calls', 'lines'] as const;
type Way = (typeof WAYS)[number];
const NAMES: Record<Way, string> = { calls: 'a call each', lines: 'lines of one request' };
const BAR = { p99Ms: 250, ratio: 0.8 };

/** Messages that bots write in groups, from the update to the event of a page; and sends beside them. */
export async function benchDrafts(): Promise<string[]> {
  await using scratch = await createScratch();
  const newId = createIds(systemClock, systemRandom);
  const bots = await seedBots(scratch.db, newId, STREAMS);
  const shape = { people: READERS_OF_EACH, memberBots: 0 };
  const groups = await seedGroups(scratch.db, newId, bots, shape);
  const cookies = await seedSessions(scratch.db, await seedReaders(scratch.db));
  await scratch.db`analyze`;
  await using parley = await startParley(scratch.environment);
  const readers = new Readers(parley.url);
  await readers.open(cookies);
  const sends = () =>
    loadServer(parley, bots.map(privateSend), { connections: CONNECTIONS, seconds: SECONDS });
  const streams = async (way: Way) => {
    const cpuBefore = await parley.cpuMicroseconds();
    readers.delaysMs.length = 0;
    const shown = await showDrafts(parley.url, groups, way);
    const cost = ((await parley.cpuMicroseconds()) - cpuBefore) / shown.answered;
    const at = (share: number) => percentile(readers.delaysMs, share).toFixed(0);
    const events = readers.delaysMs.length / shown.seconds;
    return `${(shown.answered / shown.seconds).toFixed(0)} | ${shown.failed} | ${events.toFixed(0)} | ${at(0.5)} | ${at(0.99)} | ${cost.toFixed(0)} |`;
  };
  await sends();
  const rows: string[] = [];
  for (const way of WAYS) {
    const alone = await streams(way);
    const sentAlone = await sends();
    const [beside, sentBeside] = await Promise.all([streams(way), sends()]);
    const ratio = sentBeside.requestsPerSecond / sentAlone.requestsPerSecond;
    rows.push(
      `| ${NAMES[way]}, alone | ${alone} |`,
      `| ${NAMES[way]}, beside sends | ${beside} ${sentAlone.requestsPerSecond.toFixed(0)}/s alone, ${sentBeside.requestsPerSecond.toFixed(0)}/s beside, ${ratio.toFixed(2)} |`,
    );
  }
  readers.close();
  return [
    `${STREAMS} messages, ${UPDATES_PER_SECOND} updates a second of each, ${cookies.length} readers`,
    '',
    '| | updates/s | failures | events/s | p50 ms | p99 ms | server CPU µs per update, sends beside it included | sends |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    `Bar: ${STREAMS * UPDATES_PER_SECOND} updates/s, p99 ${BAR.p99Ms} ms, ${BAR.ratio} of the sends.`,
  ];
}

/** Accounts for the people of all groups. */
async function seedReaders(db: Database): Promise<string[]> {
  const readers = await db<{ accountId: string }[]>`select account_id from members where bot_app_id is null`;
  const createdAt = Date.now();
  await db`insert into accounts ${db(
    readers.map(({ accountId }) => ({ accountId, isBot: false, name: 'Person', createdAt })),
  )}`;
  await db`
    insert into account_conversations (account_id, bucket, conversation_id, kind, created_at)
    select account_id, bucket, group_id, 'group', ${createdAt} from members where bot_app_id is null`;
  return readers.map(({ accountId }) => accountId);
}

interface Counts {
  answered: number;
  failed: number;
}

/** Shows the texts of bots; an update may be left out while the one before is not answered: the next one has its text, too. */
interface Writers extends AsyncDisposable {
  show(group: SeededGroup, content: string): void;
}

/** With a call for each update. */
function callingWriters(url: string, counts: Counts): Writers {
  const pool = new Pool(url, { connections: CONNECTIONS });
  const open = new Map<SeededGroup, Promise<void>>();
  const call = async ({ groupId, writer: { key } }: SeededGroup, content: string) => {
    const answer = await pool.request({
      method: 'PUT',
      path: '/v1/messages/draft',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ conversationId: groupId, content }),
    });
    await answer.body.dump();
    counts[answer.statusCode === 200 ? 'answered' : 'failed']++;
  };
  return {
    show(group, content) {
      if (open.has(group)) return;
      const calling = call(group, content).catch(() => void counts.failed++);
      open.set(
        group,
        calling.finally(() => open.delete(group)),
      );
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(open.values());
      await pool.close();
    },
  };
}

/** With a line for each update, in one request. */
function lineWriters(url: string, groups: readonly SeededGroup[], counts: Counts): Writers {
  const { hostname, port, host } = new URL(url);
  const sockets = new Map(
    groups.map((group) => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.write(
        `PUT /v1/messages/draft HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${group.writer.key}\r\n` +
          'content-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n',
      );
      let answer = '';
      socket.on('data', (data) => {
        answer += data;
      });
      const closed = once(socket, 'close').then(() => answer);
      return [group, { socket, closed }];
    }),
  );
  return {
    show(group, content) {
      const line = `${JSON.stringify({ conversationId: group.groupId, content })}\n`;
      sockets.get(group)?.socket.write(`${line.length.toString(16)}\r\n${line}\r\n`);
      counts.answered++;
    },
    async [Symbol.asyncDispose]() {
      for (const { socket, closed } of sockets.values()) {
        socket.write('0\r\n\r\n');
        if (!(await closed).startsWith('HTTP/1.1 200 ')) counts.failed++;
      }
    },
  };
}

/** Every bot updates its draft at this rate. */
async function showDrafts(url: string, groups: SeededGroup[], way: Way) {
  const text = 'x'.repeat(LETTERS);
  const counts: Counts = { answered: 0, failed: 0 };
  const startedAt = performance.now();
  const everyMs = 1000 / (groups.length * UPDATES_PER_SECOND);
  {
    await using writers = way === 'calls' ? callingWriters(url, counts) : lineWriters(url, groups, counts);
    for (let shown = 0; performance.now() - startedAt < SECONDS * 1000; ) {
      const due = Math.floor((performance.now() - startedAt) / everyMs);
      for (; shown < due; shown++)
        writers.show(groups[shown % groups.length] as SeededGroup, `${Date.now()} ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  return { ...counts, seconds: (performance.now() - startedAt) / 1000 };
}

/** Open pages, which note how old each update is when it arrives. Bare sockets: the server needs the cores that they share. */
class Readers {
  readonly delaysMs: number[] = [];
  readonly #url: URL;
  readonly #sockets: Socket[] = [];
  readonly #buffer = Buffer.alloc(64 * 1024);

  constructor(url: string) {
    this.#url = new URL(url);
  }

  async open(cookies: readonly string[]): Promise<void> {
    for (let from = 0; from < cookies.length; from += OPEN_AT_ONCE)
      await Promise.all(cookies.slice(from, from + OPEN_AT_ONCE).map((cookie) => this.#open(cookie)));
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #open(cookie: string): Promise<void> {
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    const { hostname, port, host } = this.#url;
    let rest = '';
    const read = (length: number) => {
      const events = (rest + this.#buffer.toString('latin1', 0, length)).split('\n\n');
      rest = events.pop() as string;
      const now = Date.now();
      for (const event of events) {
        if (event.includes('event: ready')) resolve();
        const [, shownAt] = /"content":"(\d+) x/.exec(event) ?? [];
        if (shownAt !== undefined) this.delaysMs.push(now - Number(shownAt));
      }
      return true;
    };
    const socket = connect({
      host: hostname,
      port: Number(port),
      onread: { buffer: this.#buffer, callback: read },
    });
    socket.on('error', reject);
    socket.write(
      `GET /api/chat/live HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\naccept: text/event-stream\r\n\r\n`,
    );
    this.#sockets.push(socket);
    return ready;
  }
}
