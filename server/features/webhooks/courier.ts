import { LIMITS } from '#contract/limits.ts';
import type { RequestRecorder } from '#features/applications/monitoring/recorder.ts';
import { Batcher } from '#platform/batch.ts';
import type { Platform } from '#platform/platform.ts';
import { Breakers } from './breakers/breakers.ts';
import { LANE_LIMITS, type LaneLimits, Lanes } from './lanes.ts';
import { type Settlement, settleDeliveries } from './queries.ts';

type CourierPlatform = Pick<
  Platform,
  'db' | 'clock' | 'random' | 'keyring' | 'log' | 'config' | 'guard' | 'dueDeliveries'
> & {
  /** Told how each attempt fared; for the console. */
  recorder?: Pick<RequestRecorder, 'noteDelivery'>;
};

export interface CourierOptions {
  /** Over one whole attempt; the contract's 10 s but in tests. */
  deadlineMs?: number;
  lanes?: LaneLimits;
}

/** What one worker process keeps from step to step. */
export interface Courier extends CourierPlatform, Disposable {
  readonly deadlineMs: number;
  readonly lanes: Lanes;
  readonly breakers: Breakers;
  /** Records how an attempt left its delivery; false when the lease was lost. Those that end together share a statement. */
  readonly settle: (settlement: Settlement) => Promise<boolean>;
  /** The application that was served last, when there was more to do than one step could. */
  afterAppId: string;
  /** What is claimed from now on is given back instead of attempted. */
  isClosing: boolean;
}

export function createCourier(platform: CourierPlatform, options: CourierOptions = {}): Courier {
  const breakers = new Breakers(platform);
  const lanes = new Lanes({ ...platform, breakers }, options.lanes ?? LANE_LIMITS);
  const settling = new Batcher<Settlement, boolean>(
    async (settlements) => {
      const settled = new Set(await settleDeliveries(platform.db, settlements));
      return settlements.map(({ delivery }) => settled.has(delivery.deliveryId));
    },
    { maxItems: 128, maxWaiting: Number.POSITIVE_INFINITY },
  );
  return {
    ...platform,
    deadlineMs: options.deadlineMs ?? LIMITS.webhookTimeoutMs,
    lanes,
    breakers,
    settle: (settlement) => settling.submit(settlement),
    afterAppId: '',
    isClosing: false,
    [Symbol.dispose]: () => lanes[Symbol.dispose](),
  };
}
