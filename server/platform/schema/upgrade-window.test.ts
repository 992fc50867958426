import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestPlatform } from '#testing/platform.ts';
import { findUpgradeEnd } from './upgrade-window.ts';

test('the previous version may run for a day after the migration, if it ever ran', async () => {
  await using platform = await createTestPlatform();
  const { db } = platform;
  assert.equal(await findUpgradeEnd(db), 0);
  await db`update schema_migrations set applied_at = 1000`;
  await db`update schema_migrations set applied_at = 90000 where name = '0032_sealed_webhook_urls.sql'`;
  assert.equal(await findUpgradeEnd(db), 90_000 + 86_400_000);
});
