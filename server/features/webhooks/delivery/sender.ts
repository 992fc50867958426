import { LIMITS } from '#contract/limits.ts';
import type { Applications } from '#features/applications/index.ts';
import { Batcher } from '#platform/batch.ts';
import type { Platform } from '#platform/platform.ts';
import { Breakers } from '../breakers/breakers.ts';
import { type Settlement, settleDeliveries } from '../queries.ts';
import { EndpointQueues, QUEUE_LIMITS, type QueueLimits } from './endpoint-queues.ts';

export type SenderPlatform = Pick<
  Platform,
  'db' | 'clock' | 'random' | 'keyring' | 'log' | 'config' | 'guard' | 'dueDeliveries'
> & { applications: Applications };

export interface SenderOptions {
  /** Over one whole attempt; the contract's 10 s but in tests. */
  deadlineMs?: number;
  queues?: QueueLimits;
}

/** The state that one worker process keeps from step to step. */
export interface Sender extends SenderPlatform, Disposable {
  readonly deadlineMs: number;
  readonly queues: EndpointQueues;
  readonly breakers: Breakers;
  /** Records the outcome of an attempt, several in one statement; false when the lease was lost. */
  readonly settle: (settlement: Settlement) => Promise<boolean>;
  /** The application that was served last, when there was more to do than one step could. */
  afterAppId: string;
  /** Whatever is claimed from now on is given back instead of attempted. */
  isClosing: boolean;
}

export function createSender(platform: SenderPlatform, options: SenderOptions = {}): Sender {
  const breakers = new Breakers(platform);
  const queues = new EndpointQueues({ ...platform, breakers }, options.queues ?? QUEUE_LIMITS);
  const settling = new Batcher<Settlement, boolean>(
    async (settlements) => {
      const settled = new Set(await platform.db.write((tx) => settleDeliveries(tx, settlements)));
      return settlements.map(({ delivery }) => settled.has(delivery.deliveryId));
    },
    { maxItems: 128, maxWaiting: Number.POSITIVE_INFINITY },
  );
  return {
    ...platform,
    deadlineMs: options.deadlineMs ?? LIMITS.webhookTimeoutMs,
    queues,
    breakers,
    settle: (settlement) => settling.submit(settlement),
    afterAppId: '',
    isClosing: false,
    [Symbol.dispose]: () => queues[Symbol.dispose](),
  };
}
