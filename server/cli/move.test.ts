import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findApplicationsForDelivery } from '#features/applications/service.ts';
import { damage } from '#testing/damage.ts';
import { installation } from '#testing/installation.ts';
import type { World } from '#testing/world.ts';
import { openBundle, signBundle } from './move/bundle.ts';
import { moveCommands } from './move.ts';

const HOOK = 'https://hooks.example.com/t0ken-in-the-path';

/** A server with its own database and keys. */
async function server(t: TestContext) {
  const { run: runs, ...own } = await installation(t, moveCommands);
  const run = (
    command: string,
    args: string[],
    options: Record<string, string> = {},
    passphrase = 'correct horse battery',
  ) => runs(command, args, { options, settings: { PARLEY_BACKUP_PASSPHRASE: passphrase } });
  return { ...own, run };
}

async function scene(t: TestContext) {
  const [from, to] = [await server(t), await server(t)];
  const { directory } = from;
  const bot = await from.world.bot({ name: 'Weather', username: 'weather_bot', webhookUrl: HOOK });
  const owner = await to.world.person('Ada');
  const email = `${owner.accountId}@example.com`;
  await to.world.db.begin(
    (tx) =>
      tx`insert into unique_names (value, kind, owner_id) values (${email}, 'email', ${owner.accountId})`,
  );
  const file = join(directory, 'weather.json');
  const { data } = await from.run('export', [bot.appId, file]);
  const { signer } = data as { signer: string };
  return { from, to, bot, owner: email, file, signer, directory };
}

const counts = async ({ db }: World) =>
  (await db<{ count: number }[]>`select count(*)::integer as count from applications`)[0]?.count;

test('an application moves to another server with its bot, and its key works there', async (t) => {
  const { to, bot, owner, file, signer } = await scene(t);
  const { text } = await to.run('import', [file], { owner, signer });
  assert.equal(text, `${bot.appId} with weather_bot now belongs to ${owner}; its keys work here`);
  const answer = await to.world.app.inject({
    url: '/v1/me',
    headers: { authorization: `Bearer ${bot.key}` },
  });
  assert.equal(answer.statusCode, 200, answer.body);
  assert.match(answer.body, new RegExp(bot.accountId));
  assert.equal((await findApplicationsForDelivery(to.world, [bot.appId]))[0]?.webhookUrl, HOOK);
  const versions = await to.world.db`select version from application_versions where app_id = ${bot.appId}`;
  assert.equal(versions.length, 1, 'with which sends compare a cached key on Citus');
  const bob = await to.world.person('Bob');
  await bob.writes({ accountId: bot.accountId }, 'Hello');
  await assert.rejects(
    to.run('import', [file], { owner, signer }),
    new RegExp(`${bot.appId} already exists here`),
  );
});

test('secrets are not to be read in the file', async (t) => {
  const { bot, file } = await scene(t);
  const text = await readFile(file, 'utf8');
  for (const secret of [bot.key, bot.webhookSecret, bot.webhookSecret.slice(6), 't0ken-in-the-path'])
    assert.equal(text.includes(secret), false);
});

test('another signer, a changed file, another passphrase, or no such owner changes nothing', async (t) => {
  const { to, bot, owner, file, signer, directory } = await scene(t);
  const changed = join(directory, 'changed.json');
  await writeFile(changed, (await readFile(file, 'utf8')).replace('weather_bot', 'weathex_bot'));
  const good = { owner, signer };
  await assert.rejects(
    to.run('import', [changed], good),
    /the signature is wrong: the file has been changed/,
  );
  await assert.rejects(
    to.run('import', [file], { owner, signer: 'f'.repeat(40) }),
    /the file is signed by [0-9a-f]{40}/,
  );
  await assert.rejects(to.run('import', [file], good, 'another passphrase'), /the passphrase is wrong/);
  await assert.rejects(to.run('import', [file], { owner: 'x@example.com', signer }), /has no account here/);
  await assert.rejects(to.run('import', [file], { owner }), /import needs --owner and --signer/);
  assert.equal(await counts(to.world), 0);
  await to.world.bot({ username: bot.username });
  await assert.rejects(to.run('import', [file], good), /the username weather_bot is taken here/);
  assert.equal(await counts(to.world), 1);
});

test('an account that is deleted meanwhile gets no application', async (t) => {
  const { to, owner, file, signer } = await scene(t);
  await to.world.db`update accounts set deleted_at = 1 where not is_bot`;
  await assert.rejects(to.run('import', [file], { owner, signer }), /has no account here/);
  assert.equal(await counts(to.world), 0);
});

for (const [column, refusal] of [
  [
    'webhook_secret',
    /^Error: the webhook secret of app_\w+ cannot be read: its owner can create a new one in the console$/,
  ],
  [
    'sealed_webhook_url',
    /^Error: the webhook URL of app_\w+ cannot be read: its owner can set it again in the console$/,
  ],
] as const)
  test(`an application whose ${column} cannot be read is not exported, and the reason is reported`, async (t) => {
    const { from, bot, directory } = await scene(t);
    await damage(from.world.db, { table: 'applications', column }, { column: 'app_id', value: bot.appId });
    await assert.rejects(from.run('export', [bot.appId, join(directory, 'other.json')]), refusal);
  });

test('a file of the version before, with the webhook URL in the open, is imported', async (t) => {
  const { from, to, bot, owner, file, signer } = await scene(t);
  const passphrase = 'correct horse battery';
  const { shown, secrets } = await openBundle(await readFile(file, 'utf8'), { signer, passphrase });
  const { webhookUrl, ...others } = secrets;
  const sealing = { ...from.world, passphrase, exportedAt: 0 };
  const { text } = await signBundle(
    { shown: { ...shown, ...(webhookUrl && { webhookUrl }) }, secrets: others },
    sealing,
  );
  await writeFile(file, text.replace('"version": 2', '"version": 1'));
  await to.run('import', [file], { owner, signer });
  assert.equal((await findApplicationsForDelivery(to.world, [bot.appId]))[0]?.webhookUrl, HOOK);
});
