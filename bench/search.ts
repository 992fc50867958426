import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundMessages } from '#contract/chat/search.ts';
import { systemClock } from '#platform/clock.ts';
import { formatKey, KEY_BYTES, Keyring } from '#platform/crypto/keyring.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { fillThread } from '#testing/thread.ts';
import { Browser } from '../tests/browser.ts';
import { startParley } from '../tests/processes.ts';
import { createScratch, type Scratch } from '../tests/scratch.ts';
import { introduce } from '../tests/web/chat-scene.ts';
import { cpuMicroseconds, postgresPids } from './cpu.ts';
import { median } from './load.ts';

const MESSAGES = 100_000;
const CANARY_EVERY = 10;
const ROUNDS = 9;
const BARS = { firstMs: 100, wholeSeconds: 3 };

/** A search in a conversation of 100,000 encrypted messages, and whether its words appear on the disk or in the log. */
export async function benchSearch(): Promise<string[]> {
  await using scratch = await createScratch();
  const key = systemRandom.bytes(KEY_BYTES);
  const environment = { ...scratch.environment, MASTER_KEYS: formatKey(1, key).trim(), LOG_LEVEL: 'trace' };
  await using parley = await startParley(environment);
  const [ada, bob] = [new Browser(parley.url), new Browser(parley.url)];
  for (const [browser, name] of [
    [ada, 'Ada'],
    [bob, 'Bob'],
  ] as const)
    await browser.post('/api/auth/sign-up', {
      email: `${name}@example.com`,
      password: `${name} walks far`,
      name,
    });
  const { conversationId, hostId } = await introduce(ada, bob, 'the first');
  const canary = `canary-${randomBytes(8).toString('hex')}`;
  const texts = Array.from({ length: MESSAGES }, (_, i) => textOf(i, canary));
  const storage = {
    db: scratch.db,
    keyring: new Keyring(new Map([[1, key]]), systemRandom),
    newId: createIds(systemClock, systemRandom),
    clock: systemClock,
  };
  await fillThread(storage, { conversationId, senderId: hostId }, texts);
  await scratch.db`analyze`;

  const ask = (words: string, before?: string) => {
    const query = new URLSearchParams({ words, conversationId, ...(before && { before }) });
    return ada.get<FoundMessages>(`/api/chat/search?${query}`);
  };
  const pids = [parley.pid, ...(await postgresPids(scratch.directory))];
  const first: number[] = [];
  const whole: number[] = [];
  const cpu: number[] = [];
  let requests = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    const { messages } = await ask('meet later');
    first.push(performance.now() - startedAt);
    if (messages.length === 0) throw new Error('the search found none of the existing messages');
    const usedBefore = await cpuMicroseconds(pids);
    const wholeAt = performance.now();
    requests = 0;
    let looked = 0;
    for (let before: string | undefined; requests === 0 || before !== undefined; requests++) {
      const found: FoundMessages = await ask('nowhere', before);
      looked += found.looked;
      before = found.nextBefore;
    }
    if (looked <= MESSAGES) throw new Error(`only ${looked} messages were searched`);
    whole.push((performance.now() - wholeAt) / 1000);
    cpu.push(((await cpuMicroseconds(pids)) - usedBefore) / 1e6);
  }
  const oldest = await findAll(ask, `${canary}-0`);
  if (oldest !== 1) throw new Error(`the oldest canary was found ${oldest} times`);
  const { files, leaks, hasConversation } = await lookThrough(scratch, canary, conversationId);
  if (!hasConversation) throw new Error('the searched files do not include the database');
  const isLogged = parley.printed().includes(canary);
  const range = (values: number[], digits: number) =>
    `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`;
  return [
    `A conversation of ${MESSAGES.toLocaleString('en')} encrypted messages; medians of ${ROUNDS}, with their range.`,
    '',
    '| | measured | bar |',
    '| --- | --- | --- |',
    `| first hits of a word in every seventh message | ${range(first, 0)} ms | ${BARS.firstMs} |`,
    `| the whole conversation, for a word that it does not contain, in ${requests} requests | ${range(whole, 2)} s | |`,
    `| CPU time of the latter, of the server and PostgreSQL | ${range(cpu, 2)} s | ${BARS.wholeSeconds} |`,
    '',
    `${(MESSAGES / CANARY_EVERY).toLocaleString('en')} canary words, one of them searched for and found: ${leaks.length} of ${files} files of the data folder contain one${leaks.length > 0 ? ` (${leaks.join(', ')})` : ''}; the log at level trace contains ${isLogged ? 'some' : 'none'}.`,
  ];
}

function textOf(i: number, canary: string): string {
  if (i % CANARY_EVERY === 0) return `the word of the day is ${canary}-${i}`;
  return i % 7 === 0
    ? `shall we meet a little later than ${i % 24}:30?`
    : `message ${i}, of some ordinary words`;
}

async function findAll(
  ask: (words: string, before?: string) => Promise<FoundMessages>,
  words: string,
): Promise<number> {
  let count = 0;
  let page = await ask(words);
  for (;;) {
    count += page.messages.filter(({ content }) => content?.endsWith(words)).length;
    if (page.nextBefore === undefined) return count;
    page = await ask(words, page.nextBefore);
  }
}

async function lookThrough({ directory }: Scratch, canary: string, conversationId: string) {
  const leaks: string[] = [];
  let files = 0;
  let hasConversation = false;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    files++;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    if (bytes.includes(canary)) leaks.push(entry.name);
    hasConversation ||= bytes.includes(conversationId);
  }
  return { files, leaks, hasConversation };
}
