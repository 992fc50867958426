import { systemClock } from '#platform/clock.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { startParley } from '../tests/processes.ts';
import { createScratch } from '../tests/scratch.ts';
import { startEcho } from './echo.ts';
import { type LoadRequest, type LoadResult, loadServer } from './load.ts';
import { privateSend, ratio, resultRow, TABLE_HEAD } from './report.ts';
import { type SeededBot, seedBots } from './seed.ts';
import { seedGroups } from './seed-groups.ts';

const CONNECTIONS = 64;
const VOTERS = 100;
const ROUNDS = 5;
const SECONDS = 5;

/** Votes on one hot poll and on many polls, alternating with the echo and `POST /v1/messages`. */
export async function benchPolls(): Promise<string[]> {
  await using scratch = await createScratch();
  await using parley = await startParley(scratch.environment);
  await using echo = await startEcho();
  const newId = createIds(systemClock, systemRandom);
  const voters = await seedBots(scratch.db, newId, VOTERS);
  await scratch.db`update api_keys set scopes = '{messages:send,groups:manage,polls:write}'`;
  const own = await seedGroups(scratch.db, newId, voters, { people: 0, memberBots: 0 });
  const [host] = own;
  if (!host) throw new Error('no group was created');
  const rows = voters.slice(1).map(({ accountId, appId }) => ({ accountId, appId }));
  for (const { accountId, appId } of rows) {
    await scratch.db`
      insert into members (bucket, group_id, account_id, is_admin, bot_app_id, joined_at)
      select bucket, group_id, ${accountId}, false, ${appId}, created_at from groups where group_id = ${host.groupId}`;
  }
  const hot = await createPoll(parley.url, host.writer, host.groupId);
  const many = await Promise.all(own.map(({ writer, groupId }) => createPoll(parley.url, writer, groupId)));
  const sends = voters.map(privateSend);
  const subjects: { name: string; server?: typeof echo; requests: LoadRequest[]; results: LoadResult[] }[] = [
    { name: 'Fastify echo', server: echo, requests: sends, results: [] },
    { name: 'POST /v1/messages', requests: sends, results: [] },
    {
      name: `vote on one poll, ${VOTERS} voters`,
      requests: voters.map((voter) => vote(voter, hot)),
      results: [],
    },
    {
      name: `vote on ${VOTERS} polls`,
      requests: voters.map((voter, i) => vote(voter, many[i] as Poll)),
      results: [],
    },
  ];
  for (let round = 0; round < ROUNDS; round++) {
    for (const { server = parley, requests, results } of subjects) {
      results.push(await loadServer(server, requests, { connections: CONNECTIONS, seconds: SECONDS }));
    }
  }
  const [echoed = [], ...others] = subjects.map(({ results }) => results);
  return [
    ...TABLE_HEAD,
    ...subjects.map(({ name, results }) => resultRow(name, results)),
    '',
    `Ratio to the echo ${others.map((results) => ratio(results, echoed)).join(', ')}.`,
  ];
}

interface Poll {
  messageId: string;
  optionId: string;
}

export async function createPoll(origin: string, { key }: SeededBot, groupId: string): Promise<Poll> {
  const answer = await fetch(`${origin}/v1/polls`, {
    method: 'POST',
    headers: headersOf(key),
    body: JSON.stringify({ groupId, question: 'Tea or coffee?', options: ['Tea', 'Coffee'] }),
  });
  const { data } = (await answer.json()) as { data: { msgId: string; poll: { options: { id: string }[] } } };
  return { messageId: data.msgId, optionId: data.poll.options[0]?.id ?? '' };
}

export function vote({ key }: SeededBot, poll: Poll): LoadRequest {
  return { method: 'POST', path: '/v1/polls/vote', headers: headersOf(key), body: JSON.stringify(poll) };
}

function headersOf(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
}
