import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { createTinyApp } from '#testing/tiny-app.ts';
import { eventually } from '#testing/waits.ts';
import { openDatabase } from './database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const KILLS = ['SIGQUIT', 'SIGKILL', 'SIGQUIT'] as const;

test('PostgreSQL stopped at once or killed, under load: 503, recovery by itself, nothing acknowledged lost', async (t) => {
  const dataDir = await scratchFolder(t);
  await using postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) });
  const db = openDatabase({ url: postgres.url, poolSize: 4 });
  t.after(() => db.end({ timeout: 1 }));
  await db`create table things (thing_id integer primary key)`;
  let created = 0;
  await using tiny = createTinyApp({
    db,
    routes: (app) =>
      app.post('/things', () =>
        db.begin(async (tx) => {
          const thingId = created++;
          await tx`insert into things values (${thingId})`;
          await tx`select 1`;
          return { thingId };
        }),
      ),
  });

  const acknowledged: number[] = [];
  const statuses = new Set<number>();
  let isOver = false;
  const clients = Array.from({ length: 20 }, async () => {
    while (!isOver) {
      const answer = await tiny.app.inject({ method: 'POST', url: '/things' });
      statuses.add(answer.statusCode);
      if (answer.statusCode === 200) acknowledged.push(answer.json().thingId);
      else await pause(5);
    }
  });
  const progress = async () => {
    const before = acknowledged.length;
    await eventually(() => acknowledged.length >= before + 50);
  };
  for (const kill of KILLS) {
    await progress();
    const pid = Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
    process.kill(pid, kill);
  }
  await progress();
  isOver = true;
  await Promise.all(clients);

  const rows = await db<{ thingId: number }[]>`select thing_id from things`;
  const stored = new Set(rows.map(({ thingId }) => thingId));
  assert.deepEqual(
    acknowledged.filter((thingId) => !stored.has(thingId)),
    [],
  );
  assert.deepEqual([...statuses].sort(), [200, 503]);
});
