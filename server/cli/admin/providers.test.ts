import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { installation } from '#testing/installation.ts';
import { providerCommands } from './providers.ts';

test('the command line keeps providers, and is the only place where a claim makes operators', async (t) => {
  const { world, directory, run: runs } = await installation(t, providerCommands);
  const run = (name: string, args: string[] = [], options: Record<string, string> = {}) =>
    runs(name, args, { options });
  const secret = join(directory, 'secret');
  await writeFile(secret, 'of Parley\n');

  const company = ['Company', 'https://login.example.com', 'parley'];
  await assert.rejects(run('admin providers add', company), /--secret-file is required/);
  await assert.rejects(
    run('admin providers add', company, { 'secret-file': secret, accounts: 'yes' }),
    /--accounts must be on or off/,
  );
  const added = await run('admin providers add', company, {
    ...{ 'secret-file': secret, accounts: 'on', passwords: 'off' },
    ...{ domains: 'example.com, example.org', operators: 'groups=chat-admins' },
  });
  const { providerId } = added.data as { providerId: string };
  assert.match(
    added.text,
    new RegExp(`redirect URI +http://localhost:3000/sign-in/providers/${providerId}/callback`),
  );
  const listed = await run('admin providers');
  assert.match(
    listed.text,
    /makes accounts, no passwords, only addresses of example.com or example.org, operators: groups=chat-admins$/,
  );
  await assert.rejects(run('admin providers change', [providerId]), /nothing to change/);
  const changed = await run('admin providers change', [providerId], {
    ...{ passwords: 'on', accounts: 'off', operators: 'none', domains: 'any', name: 'Firm' },
  });
  const { passwordsOff, createsAccounts, operators, domains, name } = changed.data as Record<string, unknown>;
  assert.deepEqual(
    [passwordsOff, createsAccounts, operators, domains, name],
    [false, false, undefined, [], 'Firm'],
  );
  const { text: token } = await run('admin providers scim-token', [providerId]);
  assert.ok(await world.signInProviders.findByScimToken(token));
  await run('admin providers scim-token remove', [providerId]);
  assert.equal(await world.signInProviders.findByScimToken(token), undefined);
  await assert.rejects(run('admin providers remove', [providerId]), /--reason is required/);
  await run('admin providers remove', [providerId], { reason: 'sold' });
  assert.equal((await run('admin providers')).text, '');

  await run('admin providers add', company, { 'secret-file': secret });
  const [last] = await world.db`select act from operator_acts order by act_id desc limit 1`;
  assert.equal(last?.['act'], 'provider.added', 'no change of nothing is in the trail');
});
