import { makeClientSecret } from '#features/applications/credentials/secrets.ts';
import { systemClock } from '#platform/clock.ts';
import { createIds, privateConversationId } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { type ServerProcess, startParley } from '../tests/processes.ts';
import { createScratch, type Scratch } from '../tests/scratch.ts';
import { startEcho } from './echo.ts';
import { type LoadOptions, type LoadRequest, type LoadResult, load, loadChains } from './load.ts';
import { chains, seedClient, seedFamilies } from './oauth.ts';
import { runPgbench } from './pgbench.ts';
import { createPoll, vote } from './polls.ts';
import { recordTransactions } from './recorded-transactions.ts';
import { privateSend, ratio, resultRow, TABLE_HEAD } from './report.ts';
import { type SeededBot, seedBots } from './seed.ts';
import { seedGroups } from './seed-groups.ts';
import { seedSessions } from './seed-sessions.ts';

const CLIENTS = 64;
const ROUNDS = 5;
const SECONDS = 5;
const MESSAGES_PER_CONVERSATION = 60;
const POOL_AND_SPARE = 40;

interface Subject {
  name: string;
  run(options: LoadOptions): Promise<LoadResult>;
  results: LoadResult[];
}

/**
 * Reads and writes over HTTP, alternating with the bare echo and with pgbench: the exact statements of one such request, in
 * one transaction, sent by as many clients directly to the same PostgreSQL.
 */
export async function benchYardsticks(): Promise<string[]> {
  await using scratch = await createScratch({ connections: CLIENTS + POOL_AND_SPARE });
  await using parley = await startParley(scratch.environment);
  await using echo = await startEcho();
  const newId = createIds(systemClock, systemRandom);
  const bots = await seedBots(scratch.db, newId, CLIENTS);
  const scripts = await recordTransactions(scratch, CLIENTS);
  const yardstick = (name: string, script: string): Subject => ({
    name: `pgbench: ${name}`,
    run: (options) => runPgbench(scratch.databaseUrl, script, options),
    results: [],
  });
  const requests = (name: string, server: ServerProcess, asked: LoadRequest[]): Subject => ({
    name,
    run: (options) => load(server.url, asked, options),
    results: [],
  });

  const { onOne, onMany } = await seedVotes(scratch, parley, bots);
  const echoed = requests('Fastify echo', echo, bots.map(privateSend));
  const pairs: [ours: Subject, theirs: Subject][] = [
    [await rotations(scratch, parley, newId('app')), yardstick('token rotation', scripts.rotation)],
    [requests('vote on one poll', parley, onOne), yardstick('vote on one poll', scripts.voteOnOne)],
    [
      requests(`vote on ${CLIENTS} polls`, parley, onMany),
      yardstick(`vote on ${CLIENTS} polls`, scripts.voteOnMany),
    ],
    [
      requests('page of a conversation', parley, await seedConversations(scratch, parley, bots)),
      yardstick('page of a conversation', scripts.page),
    ],
  ];
  const subjects = [echoed, ...pairs.flat()];
  for (const { run } of subjects) await run({ connections: CLIENTS, seconds: 2 });
  for (let round = 0; round < ROUNDS; round++) {
    for (const { run, results } of subjects)
      results.push(await run({ connections: CLIENTS, seconds: SECONDS }));
  }
  return [
    ...TABLE_HEAD,
    ...subjects.map(({ name, results }) => resultRow(name, results)),
    '',
    ...pairs.map(
      ([ours, theirs]) =>
        `${ours.name}: ${ratio(ours.results, theirs.results)} of pgbench, ${ratio(ours.results, echoed.results)} of the echo.  `,
    ),
  ];
}

async function rotations({ db }: Scratch, { url }: ServerProcess, clientId: string): Promise<Subject> {
  const client = { id: clientId, secret: makeClientSecret(systemRandom) };
  await seedClient(db, client);
  const server = {
    url,
    path: '/oauth/token',
    newTokens: (count: number) => seedFamilies(db, clientId, count),
  };
  return {
    name: 'token rotation',
    run: async (options) => loadChains(url, await chains(server, client, options.connections), options),
    results: [],
  };
}

/** One poll on which every bot may vote, and one poll for each bot. */
async function seedVotes({ db }: Scratch, { url }: ServerProcess, bots: SeededBot[]) {
  await db`update api_keys set scopes = '{messages:send,groups:manage,polls:write}'`;
  const groups = await seedGroups(db, createIds(systemClock, systemRandom), bots, {
    people: 0,
    memberBots: 0,
  });
  const [host] = groups;
  if (!host) throw new Error('no group was created');
  for (const { accountId, appId } of bots.slice(1)) {
    await db`
      insert into members (bucket, group_id, account_id, is_admin, bot_app_id, joined_at)
      select bucket, group_id, ${accountId}, false, ${appId}, created_at from groups where group_id = ${host.groupId}`;
  }
  const hot = await createPoll(url, host.writer, host.groupId);
  const own = await Promise.all(
    groups.map(async ({ writer, groupId }) => vote(writer, await createPoll(url, writer, groupId))),
  );
  return { onOne: bots.map((bot) => vote(bot, hot)), onMany: own };
}

/** More than a page of messages in each conversation of a person with a bot; the person reads the newest page. */
async function seedConversations(
  { db }: Scratch,
  { url }: ServerProcess,
  bots: SeededBot[],
): Promise<LoadRequest[]> {
  await db`
    insert into account_conversations (account_id, conversation_id, bucket, kind, peer_id, created_at)
    select account_id, conversation_id, bucket, 'private', peer_id, wrote_at from contacts
    where peer_id = any(${bots.map(({ accountId }) => accountId)})`;
  const cookies = await seedSessions(
    db,
    bots.map(({ personId }) => personId),
  );
  const send = async ({ path, ...request }: LoadRequest) => {
    const { status } = await fetch(url + path, request);
    if (status !== 201) throw new Error(`${path} answered ${status}`);
  };
  for (let i = 0; i < MESSAGES_PER_CONVERSATION; i++) await Promise.all(bots.map(privateSend).map(send));
  return bots.map(({ accountId, personId }, i) => ({
    method: 'GET',
    path: `/api/chat/conversations/${privateConversationId(accountId, personId)}/messages`,
    headers: { cookie: cookies[i] as string },
  }));
}
