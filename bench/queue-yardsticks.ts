import { once } from 'node:events';
import { forkYardstick } from './program.ts';

/** The npm packages with which a team would send the same requests from the same PostgreSQL. */
export const QUEUES = ['graphile-worker', 'pg-boss'] as const;
export type QueueName = (typeof QUEUES)[number];

export interface QueueJob {
  body: string;
}

/** Jobs to be recorded that no worker has taken yet. */
export interface QueueBacklog {
  queue: QueueName;
  databaseUrl: string;
  jobs: QueueJob[];
}

/** Where the sender gets its jobs and where it posts them; it signs each request itself. */
export interface QueueTask {
  queue: QueueName;
  databaseUrl: string;
  url: string;
  ca: string;
}

export type QueueOrder = QueueBacklog | QueueTask;

export async function recordJobs(queue: QueueName, databaseUrl: string, jobs: QueueJob[]): Promise<void> {
  const child = forkYardstick('queues.ts');
  child.send({ queue, databaseUrl, jobs } satisfies QueueOrder);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${queue} could not record its jobs`);
}

/** A process that works through them. */
export function startQueueSender(task: QueueTask): AsyncDisposable & { pid: number } {
  const child = forkYardstick('queues.ts');
  child.send(task satisfies QueueOrder);
  return {
    pid: child.pid as number,
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
