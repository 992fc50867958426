import { systemClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { startParley } from '../tests/processes.ts';
import { createScratch } from '../tests/scratch.ts';
import { type LoadRequest, type LoadResult, loadServer } from './load.ts';
import { privateSend, ratio, resultRow, TABLE_HEAD } from './report.ts';
import { type SeededBot, seedBots } from './seed.ts';

const CONNECTIONS = 64;
const BOTS = 1000;
const ROUNDS = 5;
const SECONDS = 4;
const FEW_PER_CONVERSATION = 1;
const MANY_PER_CONVERSATION = 10_000;
const CONVERSATIONS_PER_STATEMENT = 20;

/**
 * `POST /v1/messages` with 10³ and with 10⁷ stored messages: two equal databases and two servers, alternating. The
 * older messages are written by SQL, with random bytes in place of encrypted bodies.
 */
export async function benchStorage(): Promise<string[]> {
  await using few = await startWith(FEW_PER_CONVERSATION);
  await using many = await startWith(MANY_PER_CONVERSATION);
  const subjects = [few, many];
  for (const { sends } of subjects) await sends(3);
  for (let round = 0; round < ROUNDS; round++) {
    for (const { sends, results } of subjects) results.push(await sends(SECONDS));
  }
  return [
    ...TABLE_HEAD,
    ...subjects.map(({ name, results }) => resultRow(name, results)),
    '',
    `Ratio of many to few ${ratio(many.results, few.results)} (bar 0.9).`,
  ];
}

async function startWith(perConversation: number) {
  await using started = new AsyncDisposableStack();
  const scratch = started.use(await createScratch());
  const bots = await seedBots(scratch.db, createIds(systemClock, systemRandom), BOTS);
  await seedMessages(scratch.db, bots, perConversation);
  const parley = started.use(await startParley(scratch.environment));
  const requests: LoadRequest[] = bots.map(privateSend);
  const results: LoadResult[] = [];
  const kept = started.move();
  return {
    name: `POST /v1/messages, ${(BOTS * perConversation).toLocaleString('en')} stored before`,
    results,
    sends: (seconds: number) => loadServer(parley, requests, { connections: CONNECTIONS, seconds }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Older messages, the same number for each of the bots; their ids sort before today's. */
async function seedMessages(db: Database, bots: SeededBot[], perConversation: number): Promise<void> {
  for (let i = 0; i < bots.length; i += CONVERSATIONS_PER_STATEMENT) {
    const botIds = bots.slice(i, i + CONVERSATIONS_PER_STATEMENT).map(({ accountId }) => accountId);
    await db`
      insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, sent_at)
      select bucket, conversation_id, 'msg_00' || lpad(n::text, 8, '0') || left(md5(conversation_id || n), 14),
        peer_id, 'text', decode(repeat(md5(n::text), 6), 'hex'), 1, n
      from contacts cross join generate_series(1, ${perConversation}::integer) as n
      where peer_id = any(${botIds})
      order by bucket, conversation_id, n`;
    // In parts, so that no vacuum runs during the measurement.
    await db`vacuum messages`;
  }
  await db`analyze`;
}
