import { createHmac } from 'node:crypto';
import process from 'node:process';
import { Logger, run } from 'graphile-worker';
import { PgBoss } from 'pg-boss';
import { Pool } from 'undici';
import { JOB, type QueueJob, type QueueTask } from './queue-yardsticks.ts';

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
const CONNECTIONS = 64;

/** Sends jobs as fast as their library provides them, in its fastest configuration. */
process.once('message', async ({ queue, databaseUrl, url, ca }: QueueTask) => {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: CONNECTIONS, connect: { ca } });
  const deliver = async ({ body }: QueueJob) => {
    const at = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', SECRET).update(`${at}.${body}`).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-service-signature': `t=${at},v1=${signature}` };
    const answer = await pool.request({ method: 'POST', path, headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`the receiver answered ${answer.statusCode}`);
  };
  if (queue === 'graphile-worker') {
    await run({
      taskList: { [JOB]: (payload) => deliver(payload as QueueJob) },
      parsedCronItems: [],
      preset: {
        worker: {
          connectionString: databaseUrl,
          // A log line for each job would be a considerable part of its cost.
          logger: new Logger(() => () => {}),
          concurrentJobs: 128,
          localQueue: { size: 1_000 },
          completeJobBatchDelay: 50,
          failJobBatchDelay: 50,
        },
      },
    });
    return;
  }
  const boss = new PgBoss({ connectionString: databaseUrl });
  await boss.start();
  const options = {
    batchSize: 1_000,
    localConcurrency: 4,
    perJobResults: true,
    pollingIntervalSeconds: 0.5,
    burstWhenBatchFull: true,
  } as const;
  await boss.work<QueueJob, void, typeof options>(JOB, options, (jobs) =>
    Promise.all(
      jobs.map(async ({ id, data }) => {
        await deliver(data);
        return { id, status: 'completed' as const };
      }),
    ),
  );
});

// It keeps running so that its CPU time can be read.
process.once('disconnect', () => process.exit());
