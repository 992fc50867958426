import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Logger, makeWorkerUtils } from 'graphile-worker';
import { PgBoss } from 'pg-boss';

/** The npm packages with which a team would send the same requests from the same PostgreSQL. */
export const QUEUES = ['graphile-worker', 'pg-boss'] as const;
export type QueueName = (typeof QUEUES)[number];

/** The queue's name in pg-boss, and the task's name in graphile-worker. */
export const JOB = 'deliver';
const PER_STATEMENT = 5_000;

export interface QueueJob {
  body: string;
}

/** Where the sender gets its jobs and where it posts them; it signs each request itself. */
export interface QueueTask {
  queue: QueueName;
  databaseUrl: string;
  url: string;
  ca: string;
}

/** Jobs that no worker has taken yet. */
export async function recordJobs(queue: QueueName, databaseUrl: string, jobs: QueueJob[]): Promise<void> {
  const slices = Array.from({ length: Math.ceil(jobs.length / PER_STATEMENT) }, (_, i) =>
    jobs.slice(i * PER_STATEMENT, (i + 1) * PER_STATEMENT),
  );
  if (queue === 'graphile-worker') {
    const utils = await makeWorkerUtils({
      connectionString: databaseUrl,
      logger: new Logger(() => () => {}),
    });
    await utils.migrate();
    for (const slice of slices) await utils.addJobs(slice.map((payload) => ({ identifier: JOB, payload })));
    await utils.release();
    return;
  }
  const boss = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue(JOB);
  for (const slice of slices)
    await boss.insert(
      JOB,
      slice.map((data) => ({ data })),
    );
  await boss.stop();
}

/** A process that works through them. */
export function startQueueSender(task: QueueTask): AsyncDisposable & { pid: number } {
  const child = fork(new URL('./queue-sender.ts', import.meta.url));
  child.send(task);
  return {
    pid: child.pid as number,
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
