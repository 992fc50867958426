import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createTestDatabase } from '#testing/database.ts';
import { startRedis } from '#testing/redis.ts';
import { eventually } from '#testing/waits.ts';
import { settingsOn, startParley } from './processes.ts';

test('a process that is killed while metrics are asked for does not end the others', async (t) => {
  const started = new AsyncDisposableStack();
  t.after(() => started.disposeAsync());
  const redis = started.use(await startRedis());
  const database = started.use(await createTestDatabase());
  const server = started.use(
    await startParley({
      ...settingsOn(database),
      DATABASE_POOL_SIZE: '5',
      LOG_LEVEL: 'info',
      METRICS_PORT: '0',
      PROCESSES: '2',
      REDIS_URL: redis.url,
    }),
  );
  const port = await eventually(() => /"port":(\d+)/.exec(server.printed())?.[1]);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const ask = () => http.get(`http://127.0.0.1:${port}/metrics`, { agent });
  const read = async (request: http.ClientRequest) => {
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return text(answer);
  };
  await read(ask());

  // It reads the request before it learns of the death.
  const [pid] = await server.childPids();
  process.kill(server.pid, 'SIGSTOP');
  const request = ask();
  await once(request, 'finish');
  process.kill(Number(pid), 'SIGKILL');
  await eventually(async () => /\) Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8')));
  process.kill(server.pid, 'SIGCONT');
  assert.match(await read(request), new RegExp(`^parley_process_answers{process="${pid}"} 0$`, 'm'));
  await eventually(async () => {
    const pids = await server.childPids();
    return pids.length === 2 && !pids.includes(Number(pid));
  });
});
