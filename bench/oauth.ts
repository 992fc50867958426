import { once } from 'node:events';
import { LIFETIME_SECONDS } from '#contract/oauth.ts';
import { makeClientSecret } from '#features/applications/credentials/secrets.ts';
import { dayOf } from '#features/oauth/rules.ts';
import { makeAccessToken, makeCode, makeRefreshToken } from '#features/oauth/token-strings.ts';
import { systemClock } from '#platform/clock.ts';
import { hashSecret } from '#platform/crypto/random-secrets.ts';
import type { Database } from '#platform/database.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { startParley, toServerProcess } from '../tests/processes.ts';
import { createScratch } from '../tests/scratch.ts';
import { startEcho } from './echo.ts';
import {
  type Chains,
  type LoadRequest,
  type LoadResult,
  load,
  loadChains,
  median,
  SPARE_CHAINS,
  spread,
} from './load.ts';
import { forkYardstick } from './program.ts';

const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS = 6;
const OTHER_FAMILIES = 10_000;
const BAR = 1;
/** The body that the echo accepts. */
const ECHOED: LoadRequest = {
  method: 'POST',
  path: '/v1/messages',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    to: 'usr_nobody',
    type: 'text',
    content: 'Your parcel leaves the depot at 9:40 today.',
  }),
};
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const newId = createIds(systemClock, systemRandom);

interface OAuthServer {
  url: string;
  path: string;
  newTokens(count: number): Promise<string[]>;
}

/**
 * Refresh-token rotations per second, each connection with its own chain: durable and checked in the database here, in
 * process memory in oidc-provider. The two alternate, so that drift of the machine affects both alike.
 */
export async function benchOAuth(): Promise<string[]> {
  await using scratch = await createScratch();
  await using process = await startParley(scratch.environment);
  const client = { id: newId('app'), secret: makeClientSecret(systemRandom) };
  await seedClient(scratch.db, client);
  await seedFamilies(scratch.db, client.id, OTHER_FAMILIES);
  const parley: OAuthServer = {
    url: process.url,
    path: '/oauth/token',
    newTokens: (count) => seedFamilies(scratch.db, client.id, count),
  };
  await using yardstick = await startOidcProvider(client);
  await using echo = await startEcho();
  const rotate = async (server: OAuthServer, connections: number, seconds: number) =>
    loadChains(server.url, await chains(server, client, connections), { connections, seconds });

  await rotate(parley, CONNECTIONS, 3);
  await rotate(yardstick, CONNECTIONS, 3);
  const echoed: LoadResult[] = [];
  const ours: LoadResult[] = [];
  const theirs: LoadResult[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    echoed.push(await load(echo.url, [ECHOED], { connections: CONNECTIONS, seconds: SECONDS }));
    theirs.push(await rotate(yardstick, CONNECTIONS, SECONDS));
    ours.push(await rotate(parley, CONNECTIONS, SECONDS));
  }
  const alone = await rotate(parley, 1, SECONDS);
  const rate = (results: LoadResult[]) => median(results.map(({ requestsPerSecond }) => requestsPerSecond));
  return [
    '| | rotations/s, median (range) | p50 ms | p99 ms, median (range) | failures |',
    '| --- | --- | --- | --- | --- |',
    row(`Fastify echo, ${CONNECTIONS} connections`, echoed),
    row(`oidc-provider, in memory, ${CONNECTIONS} connections`, theirs),
    row(`POST /oauth/token, durable, ${CONNECTIONS} connections`, ours),
    row('POST /oauth/token, durable, 1 connection', [alone]),
    '',
    `Ratio to oidc-provider ${(rate(ours) / rate(theirs)).toFixed(2)} (bar ${BAR}), to the echo ${(rate(ours) / rate(echoed)).toFixed(2)}.`,
  ];
}

/** A later request uses the refresh token of each response; a broken chain causes failures. */
export async function chains(
  server: OAuthServer,
  client: { id: string; secret: string },
  connections: number,
): Promise<Chains> {
  const credentials = `grant_type=refresh_token&client_id=${client.id}&client_secret=${client.secret}&refresh_token=`;
  return {
    request: { method: 'POST', path: server.path, headers: FORM, body: credentials },
    values: await server.newTokens(connections + SPARE_CHAINS),
    pattern: '"refresh_token":"([^"]+)"',
  };
}

async function startOidcProvider(client: {
  id: string;
  secret: string;
}): Promise<OAuthServer & AsyncDisposable> {
  const child = forkYardstick('oidc-server.ts', [client.id, client.secret], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const running = toServerProcess(child, url, () => '');
  return {
    url,
    path: '/token',
    async newTokens(count) {
      child.send(count);
      const [{ tokens }] = (await once(child, 'message')) as [{ tokens: string[] }];
      return tokens;
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

export async function seedClient(
  db: Database,
  { id, secret }: { id: string; secret: string },
): Promise<void> {
  await db.begin(
    (tx) => tx`
      insert into applications (app_id, owner_id, name, state, client_secret_hash, requests_per_minute, created_at)
      values (${id}, ${newId('usr')}, 'Bench', 'active', ${hashSecret(secret)}, 60, ${Date.now()})`,
  );
}

/** Token families from freshly exchanged codes; returns their refresh tokens. */
export async function seedFamilies(db: Database, appId: string, count: number): Promise<string[]> {
  const now = Date.now();
  const expiresAt = now + LIFETIME_SECONDS.refreshToken * 1000;
  const families = Array.from({ length: count }, () => {
    const familyId = newId('fam');
    return { familyId, refresh: makeRefreshToken(familyId, systemRandom) };
  });
  for (let from = 0; from < count; from += 1000) {
    const rows = families.slice(from, from + 1000).map(({ familyId, refresh }) => ({
      familyId,
      appId,
      accountId: newId('usr'),
      scopes: ['profile'],
      codeHash: makeCode(familyId, systemRandom).hash,
      codeConsumedAt: now,
      accessHash: makeAccessToken(familyId, systemRandom).hash,
      accessScopes: ['profile'],
      accessExpiresAt: now + LIFETIME_SECONDS.accessToken * 1000,
      refreshHash: refresh.hash,
      lineageHash: refresh.lineageHash,
      refreshedAt: now,
      expiresAt,
      expiresOn: dayOf(expiresAt),
      createdAt: now,
    }));
    await db.begin((tx) => tx`insert into grants ${tx(rows)}`);
  }
  return families.map(({ refresh }) => refresh.text);
}

function row(name: string, results: LoadResult[]): string {
  const rates = spread(results.map((result) => result.requestsPerSecond));
  const p50 = median(results.map((result) => result.p50Ms));
  const p99 = spread(results.map((result) => result.p99Ms));
  return `| ${name} | ${rates} | ${p50} | ${p99} | ${results.reduce((sum, { failures }) => sum + failures, 0)} |`;
}
