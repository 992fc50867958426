import assert from 'node:assert/strict';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '#platform/config.ts';
import { formatKey, KEY_BYTES } from '#platform/crypto/keyring.ts';
import { createLog } from '#platform/log.ts';
import { systemRandom } from '#platform/random.ts';
import { createTestDatabase } from '#testing/database.ts';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { startProcesses } from './supervisor.ts';

test('a start that is ended while a process of it still waits for something ends that process', async (t) => {
  await using database = await createTestDatabase();
  const waiting = join(await scratchFolder(t), 'waiting.mjs');
  await writeFile(waiting, '');
  cluster.setupPrimary({ exec: waiting });
  const config = readConfig({
    DATABASE_URL: database.url,
    MASTER_KEYS: formatKey(1, systemRandom.bytes(KEY_BYTES)).trim(),
    PORT: '0',
    PROCESSES: '2',
    REDIS_URL: 'redis://127.0.0.1',
  });
  const stopping = new AbortController();
  const started = startProcesses(config, createLog('silent'), { signal: stopping.signal });
  const [worker] = await once(cluster, 'online');
  const exited = once(worker, 'exit');
  stopping.abort();
  await assert.rejects(started, /a process could not start/);
  assert.deepEqual(await exited, [null, 'SIGTERM']);
});
