import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '#platform/clock.ts';
import { migrate } from '#platform/schema/migrate.ts';
import { convert } from '../../server/distribution/convert.ts';
import { rehearse } from '../../server/distribution/rehearse.ts';
import { describeSent, openClusterScene } from './cluster-scene.ts';

/**
 * The conversion of a database is rehearsed and carried out while the database is in use; the first attempt is killed
 * half-way. No client gets anything worse than a 503.
 */
await using scene = await openClusterScene(
  (db) => migrate({ db, clock: systemClock }),
  ([coordinator = '']) => [coordinator],
);
const sent = await scene.underLoad(async (sent) => {
  const after = async (count: number) => {
    for (const wanted = sent.length + count; sent.length < wanted; ) await pause(50);
  };
  // Enough for the rehearsal to take a sample.
  await after(1500);
  const { estimatedMs, bytesPerSecond } = await rehearse(scene.db);
  if (bytesPerSecond === undefined) throw new Error('the rehearsal took no sample');
  const atRehearsal = sent.filter(({ status }) => status !== 201).length;
  if (atRehearsal > 0) throw new Error(`the rehearsal made ${atRehearsal} requests fail`);
  await after(500);
  await killHalfWay();
  const { tables, pausedMs } = await convert(scene.db, scene.url);
  console.log(
    `${tables.length} tables; requests were paused for ${Math.round(pausedMs)} ms (expected: ${Math.round(estimatedMs)} ms)`,
  );
  await untilServed();
  await after(500);

  async function untilServed() {
    for (const until = performance.now() + 60_000; sent.at(-1)?.status !== 201; await pause(50))
      if (performance.now() > until) throw new Error('requests still fail after the conversion');
  }
});
console.log(describeSent(sent));
const worse = sent.filter(({ status }) => status !== 201 && status !== 503);
if (worse.length > 0) throw new Error(`${worse.length} requests got an answer other than 201 and 503`);
const lost = await scene.countLost(sent);
if (lost > 0) throw new Error(`${lost} acknowledged messages are lost`);

/** As by an impatient operator, or a machine that is switched off. */
async function killHalfWay(): Promise<void> {
  const command = fork(new URL('./convert.ts', import.meta.url), {
    env: { ...process.env, DATABASE_URL: scene.url },
  });
  const ended = once(command, 'exit');
  while (command.exitCode === null && !(await isHalfWay())) await pause(5);
  command.kill('SIGKILL');
  const [code] = await ended;
  if (code !== null) throw new Error(`the command ended by itself, with exit code ${code}`);
}

async function isHalfWay(): Promise<boolean> {
  const rows = await scene.db`
    select from pg_stat_activity
    where datname = current_database() and query like '%create_distributed_table(''accounts''%' and pid <> pg_backend_pid()`;
  return rows.length > 0;
}
