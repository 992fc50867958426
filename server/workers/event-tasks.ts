import { setTimeout as pause } from 'node:timers/promises';
import { workOnTasks } from '#features/webhooks/tasks/work.ts';
import type { Platform } from '#platform/platform.ts';

const EVERY_MS = 1_000;

/** Works on what applications asked for many events at once, until it is disposed of. */
export function startEventTaskWorker(platform: Platform): AsyncDisposable {
  const closing = new AbortController();
  const { signal } = closing;
  const running = (async () => {
    while (!signal.aborted) {
      await workOnTasks(platform, signal).catch((error) =>
        platform.log.error({ err: error }, 'tasks on many events were not done'),
      );
      await pause(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await running;
    },
  };
}
