import { createHmac } from 'node:crypto';
import process from 'node:process';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { PgBoss } from 'pg-boss';
import { Pool } from 'undici';
import type { QueueBacklog, QueueJob, QueueOrder, QueueTask } from '../queue-yardsticks.ts';

/** The queue's name in pg-boss, and the task's name in graphile-worker. */
const JOB = 'deliver';
const PER_STATEMENT = 5_000;
const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
const CONNECTIONS = 64;
/** A log line for each job would be a considerable part of its cost. */
const SILENT = new Logger(() => () => {});

async function record({ queue, databaseUrl, jobs }: QueueBacklog): Promise<void> {
  const slices = Array.from({ length: Math.ceil(jobs.length / PER_STATEMENT) }, (_, i) =>
    jobs.slice(i * PER_STATEMENT, (i + 1) * PER_STATEMENT),
  );
  if (queue === 'graphile-worker') {
    const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger: SILENT });
    await utils.migrate();
    for (const slice of slices) await utils.addJobs(slice.map((payload) => ({ identifier: JOB, payload })));
    await utils.release();
    return;
  }
  const boss = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue(JOB);
  for (const slice of slices) {
    await boss.insert(
      JOB,
      slice.map((data) => ({ data })),
    );
  }
  await boss.stop();
}

/** Sends jobs as fast as their library provides them, in its fastest configuration. */
async function send({ queue, databaseUrl, url, ca }: QueueTask): Promise<void> {
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
          logger: SILENT,
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
}

process.once('message', async (order: QueueOrder) => {
  if ('url' in order) return send(order);
  await record(order);
  process.disconnect?.();
});

// It keeps running so that its CPU time can be read.
process.once('disconnect', () => process.exit());
