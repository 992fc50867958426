import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '#testing/answers.ts';
import type { OAuthClient } from '#testing/oauth-client.ts';
import { createWorld, type Person } from '#testing/world.ts';

const ROUNDS = 10;
const PARALLEL = 100;

async function rounds(round: (client: OAuthClient, person: Person) => Promise<() => Promise<Answer>>) {
  await using world = await createWorld();
  const client = await world.client();
  const person = await world.person();
  for (let n = 0; n < ROUNDS; n++) {
    const attempt = await round(client, person);
    const answers = await Promise.all(Array.from({ length: PARALLEL }, attempt));
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1, `round ${n}`);
    const lost = new Set(
      answers.filter((answer) => answer !== won[0]).map(({ status, body }) => `${status} ${body.error}`),
    );
    assert.equal(lost.size, 1, `round ${n}: ${[...lost]}`);
    assert.equal((await client.calls(won[0]?.body.access_token)).status, 401, 'the losers end the family');
  }
  const rows = await world.db`select end_reason, count(*) as count from grants group by end_reason`;
  return rows.map((row) => ({ ...row }));
}

test('of 100 parallel exchanges of one code exactly one wins, 10 times', async () => {
  const ended = await rounds(async (client, person) => {
    const code = await client.code({ person });
    return () => client.exchanges(code);
  });
  assert.deepEqual(ended, [{ endReason: 'code-reused', count: ROUNDS }]);
});

test('of 100 parallel refreshes with one token exactly one wins, 10 times', async () => {
  const ended = await rounds(async (client, person) => {
    const { refresh } = await client.tokens({ person });
    return () => client.refreshes(refresh);
  });
  assert.deepEqual(ended, [{ endReason: 'refresh-token-reused', count: ROUNDS }]);
});

test('different tokens that arrive at the same time are all rotated, each to its own pair', async () => {
  await using world = await createWorld({ requestsPerMinute: 1000 });
  const client = await world.client();
  const person = await world.person();
  const all = await Promise.all(Array.from({ length: 64 }, () => client.tokens({ person })));
  const rotated = await Promise.all(all.map(({ refresh }) => client.refreshes(refresh)));
  assert.deepEqual(new Set(rotated.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(rotated.map(({ body }) => body.refresh_token)).size, 64);
  const again = await Promise.all(rotated.map(({ body }) => client.refreshes(body.refresh_token)));
  assert.deepEqual(new Set(again.map(({ status }) => status)), new Set([200]));
});

test('concurrent consents and deletion of their application leave no valid grant', async () => {
  await using world = await createWorld();
  for (let round = 0; round < 5; round++) {
    const client = await world.client();
    const person = await world.person();
    const consents = Array.from({ length: 10 }, () => client.code({ person }).catch(() => 'refused'));
    await Promise.all([...consents, client.owner.deletes(client)]);
    await Promise.all(consents);
    const alive = await world.db`select family_id from grants where ended_at is null`;
    assert.deepEqual([...alive], []);
  }
});
