import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scimScene, USER } from '#testing/scim-scene.ts';
import { explain, nodesOf, recordStatements, type StatementRecorder } from '#testing/statement-recorder.ts';

test('whom a provider looks for is found without reading its other people', async (t) => {
  let recorder: StatementRecorder | undefined;
  const { calls, world, provider } = await scimScene(t, {
    watch(db) {
      recorder = recordStatements(db);
      return recorder.db;
    },
  });
  assert.ok(recorder);
  const { db } = world;
  await db`
    insert into accounts (account_id, is_bot, name, email, created_at)
    select 'usr_' || n, false, 'Ada', n || '@company.example', 1 from generate_series(1, 5000) n`;
  await db`
    insert into identities (account_id, issuer, user_name, external_id, is_managed, connected_at)
    select 'usr_' || n, ${provider.settings.issuer}, 'ada.' || n, n::text, true, 1 from generate_series(1, 5000) n`;
  await db`analyze accounts, identities`;
  recorder.enter('lookups');
  for (const filter of ['userName eq "Ada.7"', 'externalId eq "7"', 'emails eq "7@company.example"'])
    await calls('GET', `/Users?filter=${encodeURIComponent(filter)}`);
  const emails = [{ value: 'new@company.example' }];
  assert.equal((await calls('POST', '/Users', { schemas: [USER], userName: 'new', emails })).status, 201);
  recorder.enter(undefined);
  for (const statement of recorder.statements()) {
    const plan = await explain(db, statement);
    const most = Math.max(...nodesOf(plan).map((node) => node['Plan Rows']));
    assert.ok(most < 100, `${most} rows: ${statement.text}`);
  }
});
