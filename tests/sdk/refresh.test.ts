import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { MemoryTokenStore, OAuthClient, type ParleyError, type TokenStore } from '../../sdk/index.ts';
import { hash } from '../../sdk/node/files.ts';
import { FileTokenStore } from '../../sdk/node/index.ts';
import { createSdkScene, type SdkScene } from './sdk-scene.ts';

/** Ada has consented; `refreshes` counts the requests to the token endpoint since. */
async function login(
  scene: SdkScene,
  { tokens = new MemoryTokenStore() as TokenStore, now = () => scene.world.clock.now() } = {},
) {
  const { baseUrl, clientId, clientSecret, redirectUri, consentAt } = scene;
  const requests: string[] = [];
  const oauth = new OAuthClient({
    ...{ baseUrl, clientId, clientSecret, redirectUri, tokens, now },
    retries: 0,
    fetch: (url, init) => {
      requests.push(new URL(String(url)).pathname);
      return fetch(url, init);
    },
  });
  const { url, ...pending } = await oauth.authorize({ scopes: ['profile'] });
  const person = await oauth.exchange(await consentAt(url), pending, 'ada');
  requests.length = 0;
  const refreshes = () => requests.filter((path) => path === '/oauth/token').length;
  return { oauth, person, tokens, requests, refreshes };
}

test('50 concurrent calls whose access token has expired share one refresh, also if the application’s clock is slow', async () => {
  await using scene = await createSdkScene();
  const { clock } = scene.world;
  const start = clock.now();
  for (const now of [() => clock.now(), () => start]) {
    const { person, refreshes } = await login(scene, { now });
    for (let round = 1; round <= 3; round++) {
      clock.advance({ hours: 1 });
      const answers = await Promise.all(Array.from({ length: 50 }, () => person.getUserInfo()));
      assert.deepEqual(new Set(answers.map(({ sub }) => sub)), new Set([scene.ada.accountId]));
      assert.equal(refreshes(), round);
    }
  }
});

test('a fresh token is not refreshed; one that expires within the margin is', async () => {
  await using scene = await createSdkScene();
  const { person, refreshes } = await login(scene);
  scene.world.clock.advance({ minutes: 59, seconds: 29 });
  await person.getUserInfo();
  assert.equal(refreshes(), 0);
  scene.world.clock.advance({ seconds: 1 });
  await person.getUserInfo();
  assert.equal(refreshes(), 1);
});

test('while the person is suspended, and once the consent has ended, calls fail with that error', async () => {
  await using scene = await createSdkScene();
  const { oauth, person, requests } = await login(scene);
  const { world, ada } = scene;
  const refused = { name: 'ParleyError', status: 401, code: 'unauthenticated', oauthError: 'invalid_grant' };
  const until = world.clock.now() + 7_200_000;
  await world.db.begin(async (tx) =>
    world.hooks.oauth.account.suspensionChanged?.(tx, { accountId: ada.accountId, until }),
  );
  for (let i = 0; i < 2; i++) await assert.rejects(person.getUserInfo(), refused);
  world.clock.advance({ hours: 2 });
  assert.equal((await person.getUserInfo()).name, 'Ada', 'its tokens are valid again');
  world.clock.advance({ days: 31 });
  await assert.rejects(person.getUserInfo(), refused);
  await oauth.revoke('ada');
  requests.length = 0;
  await assert.rejects(oauth.getAccessToken('ada'), {
    status: 401,
    message: 'there are no tokens for this person: ask for consent',
  });
  assert.deepEqual(requests, []);
});

test('a refresh during an outage loses nothing', async () => {
  await using scene = await createSdkScene();
  const { baseUrl, clientId, clientSecret, redirectUri } = scene;
  const { tokens } = await login(scene);
  scene.world.clock.advance({ hours: 1 });
  const before = await tokens.read('ada');
  const waits: number[] = [];
  let outages = 0;
  const oauth = new OAuthClient({
    ...{ baseUrl, clientId, clientSecret, redirectUri, tokens },
    now: () => scene.world.clock.now(),
    sleep: async (ms) => void waits.push(ms),
    retries: 1,
    fetch: async (url, init) => {
      if (outages++ < 3) throw new TypeError('fetch failed');
      return fetch(url, init);
    },
  });
  await assert.rejects(
    oauth.person('ada').getUserInfo(),
    (error: ParleyError) => error.code === 'unreachable',
  );
  assert.deepEqual(await tokens.read('ada'), before);
  assert.equal((await oauth.person('ada').getUserInfo()).name, 'Ada');
  assert.deepEqual(waits, [1000, 1000]);
});

test('revoking ends the consent at the service, too', async () => {
  await using scene = await createSdkScene();
  const { oauth, tokens } = await login(scene);
  const accessToken = await oauth.getAccessToken('ada');
  await oauth.revoke('ada');
  assert.equal(await tokens.read('ada'), undefined);
  const headers = { authorization: `Bearer ${accessToken}` };
  assert.equal((await fetch(`${scene.baseUrl}/v1/me`, { headers })).status, 401);
});

test('two processes that share a store refresh once, and the consent stays valid', async (t) => {
  const directory = await scratchFolder(t);
  await using scene = await createSdkScene();
  const { baseUrl, clientId, clientSecret, redirectUri } = scene;
  await login(scene, { tokens: new FileTokenStore({ directory }) });
  const settings = { baseUrl, clientId, clientSecret, redirectUri, directory };
  const children = [0, 1].map(() => fork('tests/sdk/refresher.ts', [JSON.stringify(settings)]));
  t.after(() => children.map((child) => child.kill()));
  await Promise.all(children.map((child) => once(child, 'message')));
  for (let round = 0; round < 10; round++) {
    scene.world.clock.advance({ hours: 1 });
    const counts = await Promise.all(children.map((child) => callBatch(child, scene.world.clock.now())));
    assert.deepEqual(counts.sort(), [0, 1], `round ${round}`);
  }
});

/** How often a process refreshed during 25 concurrent calls, all of which succeeded. */
async function callBatch(child: ChildProcess, now: number): Promise<number> {
  child.send({ now });
  const [report] = (await once(child, 'message')) as [{ refreshes: number; failed?: string }];
  assert.equal(report.failed, undefined);
  return report.refreshes;
}

test('the lock of a dead process is free', async (t) => {
  const directory = await scratchFolder(t);
  const tokens = new FileTokenStore({ directory });
  const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(dead, 'exit');
  const host = hash(hostname()).slice(0, 12);
  writeFileSync(join(directory, `${hash('ada')}~${host}~${dead.pid}~0011223344556677`), '');
  const set = { accessToken: 'a', refreshToken: 'r', expiresAt: 1, scopes: [] };
  assert.deepEqual(await tokens.update('ada', async () => set), set);
  assert.deepEqual(await tokens.read('ada'), set);
});

for (const [name, create] of [
  ['memory', async () => new MemoryTokenStore()],
  ['files', async (t: TestContext) => new FileTokenStore({ directory: await scratchFolder(t) })],
] as const) {
  test(`a store of ${name} allows one change of a key at a time, and keeps the old value when one fails`, async (t) => {
    const store = await create(t);
    const add = (current: { expiresAt: number } | undefined) => ({
      accessToken: 'a',
      refreshToken: 'r',
      expiresAt: (current?.expiresAt ?? 0) + 1,
      scopes: [],
    });
    await Promise.all(
      Array.from({ length: 20 }, () =>
        store.update('ada', async (current) => {
          await new Promise((resolve) => setImmediate(resolve));
          return add(current);
        }),
      ),
    );
    assert.equal((await store.read('ada'))?.expiresAt, 20);
    await assert.rejects(
      store.update('ada', () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal((await store.read('ada'))?.expiresAt, 20);
    assert.equal(await store.read('eve'), undefined);
    assert.equal(await store.update('ada', async () => undefined), undefined);
    assert.equal(await store.read('ada'), undefined);
  });
}
