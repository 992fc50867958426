import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { createLog } from '#platform/log.ts';
import { signUpPerson } from '#testing/people.ts';
import { createWorldFor, type World } from '#testing/world.ts';

/** A world that collects its log lines. */
async function createLogged(t: TestContext): Promise<{ world: World; lines: string[] }> {
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  return { world: await createWorldFor(t, {}, { log }), lines };
}

function read(lines: string[]): object[] {
  return lines.map((line) => {
    const { time: _, requestId: __, ...plain } = JSON.parse(line);
    return plain;
  });
}

test('refused sign-ins, second factors and confirmations leave one line each, without what was typed', async (t) => {
  const { world, lines } = await createLogged(t);
  const { email, accountId, cookie } = await signUpPerson(world.app);
  const post = (path: string, payload: object, headers = {}) =>
    world.app.inject({
      method: 'POST',
      url: `/api/auth${path}`,
      payload,
      headers,
      remoteAddress: '203.0.113.9',
    });
  const canary = 'typed-canary@example.com';
  await post('/sign-in', { email, password: 'typed-canary' });
  const unknown = await post('/sign-in', { email: canary, password: 'typed-canary' });
  await post('/confirm', { password: 'typed-canary' }, { cookie });
  await post('/confirm', { code: '123456' }, { cookie });
  const refused = { level: 40, address: '203.0.113.9', reason: 'wrong', msg: 'a sign-in was refused' };
  assert.deepEqual(read(lines), [
    { ...refused, event: 'sign-in.failed', what: 'password', accountId },
    { ...refused, event: 'sign-in.failed', what: 'password' },
    { ...refused, event: 'confirmation.failed', what: 'password', accountId },
    { ...refused, event: 'confirmation.failed', what: 'code', accountId },
  ]);
  assert.equal(JSON.parse(lines[1] as string).requestId, unknown.headers['x-request-id']);
  assert.ok(!lines.join('').includes('typed-canary'));
});

test('each 403 of the console leaves one line', async (t) => {
  const { world, lines } = await createLogged(t);
  const ada = await world.person('Ada');
  const { appId } = await ada.creates('Helper');
  const url = `/api/console/applications/${appId}/webhook-url`;
  world.clock.advance({ minutes: 11 });
  assert.equal((await ada.calls('DELETE', url)).status, 403);
  assert.equal((await ada.calls('DELETE', url, {}, { 'sec-fetch-site': 'cross-site' })).status, 403);
  assert.equal((await ada.calls('GET', '/api/console/applications/none')).status, 404);
  const denied = {
    level: 40,
    event: 'access.denied',
    address: '127.0.0.1',
    method: 'DELETE',
    route: '/api/console/applications/:appId/webhook-url',
    msg: 'access was denied',
  };
  assert.deepEqual(read(lines), [
    {
      ...denied,
      accountId: ada.accountId,
      reason: 'your sign-in is more than 10 minutes old: confirm your identity (POST /api/auth/confirm)',
    },
    { ...denied, reason: 'this request comes from a page of another site' },
  ]);
});

test('the filter for fail2ban finds the address of every refused sign-in, and nothing else', async (t) => {
  const { world, lines } = await createLogged(t);
  const filter = readFileSync(new URL('../../../deploy/fail2ban/parley.conf', import.meta.url), 'utf8');
  const page = readFileSync(new URL('../../../docs/operate/monitoring.md', import.meta.url), 'utf8');
  assert.ok(page.includes(filter.slice(filter.indexOf('[Definition]'))), 'the page shows the filter');
  const [, failregex = ''] = /^failregex = (.*)$/m.exec(filter) ?? [];
  // The pattern that fail2ban substitutes for `<ADDR>`.
  const pattern = new RegExp(failregex.replace('<ADDR>', '(?<host>[0-9a-fA-F.:]+)'));
  const addresses = ['203.0.113.9', '2001:db8::7'];
  for (const remoteAddress of addresses) {
    const payload = { email: 'nobody@example.com', password: 'x' };
    await world.app.inject({ method: 'POST', url: '/api/auth/sign-in', payload, remoteAddress });
  }
  const found = () => lines.flatMap((line) => pattern.exec(line)?.groups?.['host'] ?? []);
  assert.deepEqual(found(), addresses);
  const ada = await world.person('Ada');
  await ada.calls('POST', '/api/auth/confirm', { password: 'wrong' });
  await ada.calls('POST', '/api/console/applications', {}, { 'sec-fetch-site': 'cross-site' });
  assert.ok(lines.length > addresses.length);
  assert.deepEqual(found(), addresses);
});
