import assert from 'node:assert/strict';
import { endGrants, type Rotation, rotate } from '#features/oauth/queries.ts';
import { type PresentedRefreshToken, parseRefreshToken } from '#features/oauth/token-strings.ts';
import { makePair } from '#features/oauth/tokens.ts';
import { REDIRECT_URI, type Tokens } from '#testing/oauth-client.ts';
import type { World } from '#testing/world.ts';
import type { Arena } from '../arena.ts';
import type { Race } from '../race.ts';

interface Answered {
  status: number;
  body: { access_token: string; refresh_token: string };
}

async function post(arena: Arena, server: number, url: string, payload: object): Promise<Answered> {
  const { app } = arena.servers[server] as World;
  const answer = await app.inject({ method: 'POST', url, payload });
  return { status: answer.statusCode, body: answer.json() };
}

async function setUp({ world }: Arena) {
  const [client, person] = [await world.client(), await world.person()];
  return { client, person, credentials: { client_id: client.appId, client_secret: client.secret } };
}

/** Both tokens are refused. */
async function expectEnded(arena: Arena, access: string) {
  const { statusCode } = await arena.world.app.inject({
    url: '/v1/me',
    headers: { authorization: `Bearer ${access}` },
  });
  assert.equal(statusCode, 401, 'a token of the ended family works');
}

export const TOKENS: Record<string, Race> = {
  rotation: {
    async prepare(arena) {
      const { client, person, credentials } = await setUp(arena);
      const { refresh }: Tokens = await client.tokens({ person });
      const body = { grant_type: 'refresh_token', refresh_token: refresh, ...credentials };
      return {
        works: [0, 1].map((server) => () => post(arena, server, '/oauth/token', body)),
        async check(results) {
          const answers = results as Answered[];
          const won = answers.filter(({ status }) => status === 200);
          assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
          await expectEnded(arena, won[0]?.body.access_token ?? '');
        },
      };
    },
    guards: {
      'the token is still the newest': [[/and held\.refresh_hash = said\.presented_hash/, '']],
    },
  },
  'reuse of a code': {
    async prepare(arena) {
      const { client, person, credentials } = await setUp(arena);
      const code = await client.code({ person });
      const body = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...credentials };
      return {
        works: [0, 1].map((server) => () => post(arena, server, '/oauth/token', body)),
        async check(results) {
          const answers = results as Answered[];
          const won = answers.filter(({ status }) => status === 200);
          assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
          await expectEnded(arena, won[0]?.body.access_token ?? '');
        },
      };
    },
    guards: {
      // The redirect URI goes with the code, so that either condition is enough.
      'the code is not consumed': [
        [/code_consumed_at is null and /, ''],
        [/and code_redirect_uri = (\$\d+)/, 'and coalesce(code_redirect_uri, $1) = $1'],
      ],
    },
  },
  'three families are rotated and end while one of them ends': {
    async prepare(arena) {
      const [rotating, ending, endingOne] = arena.servers as [World, World, World];
      const { client, person } = await setUp(arena);
      const rotations: Rotation[] = [];
      for (let i = 0; i < 3; i++) {
        const { refresh }: Tokens = await client.tokens({ person });
        const { familyId, lineage, hash } = parseRefreshToken(refresh) as PresentedRefreshToken;
        const { row } = makePair(rotating, familyId, lineage);
        rotations.push({ ...row, familyId, appId: client.appId, presentedHash: hash, scope: null });
      }
      const families = rotations.map(({ familyId }) => familyId);
      const end = ({ db, clock, shards }: World, familyIds: string[]) =>
        db.begin((tx) => endGrants(tx, shards, familyIds, { at: clock.now(), reason: 'revoked-by-person' }));
      return {
        works: [
          () => rotating.db.write((tx) => rotate(tx, rotations.toReversed())),
          () => end(ending, families),
          () => end(endingOne, families.slice(1, 2)),
        ],
        async check() {
          const left = await arena.world.db`
            select from grants where family_id = any(${families}) and ended_at is null`;
          assert.equal(left.length, 0);
        },
      };
    },
    guards: { 'one order of locks': [[/order by family_id for no key update/g, '']] },
  },
};
