import { type SenderOptions, type Webhooks, watchQueue } from '#features/webhooks/index.ts';
import { Loop, type Step } from '#platform/loop.ts';
import type { Platform } from '#platform/platform.ts';
import { startWork } from './work.ts';

export interface DeliveryWorkerOptions extends SenderOptions {
  /** The longest sleep, and so the longest delay until rows of other processes and due deliveries are found. */
  pollMs?: number;
}

/** How soon after a worker's lease has expired another worker takes over its applications. */
const LEASES_EVERY_MS = 1_000;
const BREAKERS_EVERY_MS = 1_000;
const FORGOTTEN_EVERY_MS = 60_000;

/**
 * Delivers webhooks until it is disposed of. Disposing drains: nothing more is claimed, attempts in progress finish and are
 * recorded, then the promise resolves. Woken by `dueDeliveries`, by a free slot, or by the poll.
 */
export function startDeliveryWorker(
  platform: Platform & { webhooks: Webhooks },
  { pollMs = 1_000, ...options }: DeliveryWorkerOptions = {},
): AsyncDisposable {
  const started = new AsyncDisposableStack();
  const delivery = started.use(platform.webhooks.openDelivery(options));
  const start = (name: string, everyMs: number, step: Step) =>
    started.use(startWork(platform, { name, everyMs }, step));
  const claiming = start('webhooks', pollMs, () => delivery.claim());
  if (platform.redis)
    started.use(
      new Loop(platform, { name: 'delivery-leases', everyMs: LEASES_EVERY_MS }, async () => {
        if (await delivery.renewLeases()) claiming.wake();
      }),
    );
  watchQueue(platform, () => delivery.busy());
  start('circuit-breakers', BREAKERS_EVERY_MS, () => delivery.tendBreakers());
  start('parked-events', FORGOTTEN_EVERY_MS, () => delivery.resumeForgotten());
  started.defer(platform.dueDeliveries.subscribe(() => claiming.wake()));
  started.defer(() => delivery.drain());
  return started;
}
