import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startReceiver } from '#testing/receiver.ts';
import { callApi } from './browser.ts';
import { createPair, signIn } from './chaos/population.ts';
import { startParley, UNLIMITED } from './processes.ts';

const CANARIES = 200;

test('private texts, drafts, searches, a webhook URL’s path and idempotency keys appear nowhere in the database files, the WAL or the log', async (t) => {
  const scratch = await mkdtemp(join(tmpdir(), 'parley-canary-'));
  t.after(() => rm(scratch, { recursive: true, force: true }));
  // It never answers 2xx, so that every event stays in the outbox.
  await using receiver = await startReceiver({
    tls: 'plain',
    host: 'localhost',
    respond: () => ({ status: 500 }),
  });
  await using server = await startParley({
    DATA_DIR: join(scratch, 'data'),
    LOG_LEVEL: 'trace',
    ...UNLIMITED,
    WEBHOOK_TRUSTED_HOSTS: receiver.trustedHost,
  });
  const secret = `canary-${randomBytes(8).toString('hex')}`;
  const pair = await createPair(server.url, 1, new URL(`/hook/${secret}?token=${secret}`, receiver.url).href);
  const browser = await signIn(server.url, pair);
  for (let i = 0; i < CANARIES / 2; i++) {
    const written = { to: pair.botId, type: 'text', content: `${secret}-${i}` };
    const { conversationId } = await browser.post('/api/chat/messages', written);
    if (i % 25 === 0) {
      await browser.put(`/api/chat/conversations/${conversationId}/draft`, { text: `${secret} begun` });
      await browser.get(`/api/chat/search?words=${secret}`);
    }
    const fileUrl = `https://cdn.example.com/${secret}.png`;
    const image = { to: pair.userId, type: 'image', fileUrl, caption: `${secret}-${i}` };
    const headers = { 'idempotency-key': `${secret}-${i}` };
    assert.equal((await callApi(server.url, pair.apiKey, '/v1/messages', image, { headers })).status, 201);
  }
  assert.ok(
    receiver.requests.some(({ rawBody }) => rawBody.includes(secret)),
    'the receiver is told in clear',
  );
  await server[Symbol.asyncDispose]();
  const leaks = server.printed().includes(secret) ? ['the log'] : [];
  let files = 0;
  for (const entry of await readdir(scratch, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    files++;
    if ((await readFile(join(entry.parentPath, entry.name))).includes(secret)) leaks.push(entry.name);
  }
  assert.ok(files > 900, 'the whole data directory was read');
  assert.deepEqual(leaks, []);
});
