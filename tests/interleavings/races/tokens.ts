import assert from 'node:assert/strict';
import { endGrants, type Rotation, rotate } from '#features/oauth/queries.ts';
import { type PresentedRefreshToken, parseRefreshToken } from '#features/oauth/token-strings.ts';
import { makePair } from '#features/oauth/tokens.ts';
import { type OAuthClient, REDIRECT_URI } from '#testing/oauth-client.ts';
import type { Person, World } from '#testing/world.ts';
import type { Arena } from '../arena.ts';
import { type Guard, type Race, race } from '../race.ts';

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
  return { client: await world.client(), person: await world.person() };
}

/** Of two presentations of one token or code, one wins; then its family has ended, and the new tokens are refused. */
function presentedTwice(
  present: (client: OAuthClient, person: Person) => Promise<object>,
  refusal: number,
  guards: Record<string, Guard>,
): Race {
  return race(guards, async (arena) => {
    const { client, person } = await setUp(arena);
    const body = { ...(await present(client, person)), ...client.credentials };
    return {
      works: [0, 1].map((server) => () => post(arena, server, '/oauth/token', body)),
      async check(results) {
        const answers = results as Answered[];
        assert.deepEqual(answers.map(({ status }) => status).sort(), [200, refusal]);
        const won = answers.find(({ status }) => status === 200);
        const { statusCode } = await arena.world.app.inject({
          url: '/v1/me',
          headers: { authorization: `Bearer ${won?.body.access_token}` },
        });
        assert.equal(statusCode, 401, 'a token of the ended family works');
      },
    };
  });
}

export const TOKENS: Record<string, Race> = {
  rotation: presentedTwice(
    async (client, person) => {
      const { refresh } = await client.tokens({ person });
      return { grant_type: 'refresh_token', refresh_token: refresh };
    },
    401,
    { 'the token is still the newest': [[/and held\.refresh_hash = said\.presented_hash/, '']] },
  ),
  'reuse of a code': presentedTwice(
    async (client, person) => {
      const code = await client.code({ person });
      return { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    },
    400,
    {
      // The redirect URI goes with the code, so that either condition is enough.
      'the code is not consumed': [
        [/code_consumed_at is null and /, ''],
        [/and code_redirect_uri = (\$\d+)/, 'and coalesce(code_redirect_uri, $1) = $1'],
      ],
    },
  ),
  'three families are rotated and end while one of them ends': race(
    { 'one order of locks': [[/order by family_id for no key update/g, '']] },
    async (arena) => {
      const [rotating, ending, endingOne] = arena.servers as [World, World, World];
      const { client, person } = await setUp(arena);
      const rotations: Rotation[] = [];
      for (let i = 0; i < 3; i++) {
        const { refresh } = await client.tokens({ person });
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
  ),
};
