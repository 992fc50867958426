import { LIMITS } from '#contract/limits.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Platform } from '#platform/platform.ts';
import { Breakers } from '../breakers/breakers.ts';
import type { Settlement, Turn } from '../queries.ts';
import { Backlogs } from './backlogs/backlogs.ts';
import { EndpointQueues, QUEUE_LIMITS, type QueueLimits } from './endpoint-queues.ts';
import { InFlight } from './in-flight.ts';
import { EVERYTHING, type Ownership } from './ownership.ts';
import { Settling } from './settling.ts';

export type SenderPlatform = Pick<
  Platform,
  'db' | 'clock' | 'random' | 'keyring' | 'log' | 'config' | 'guard' | 'dueDeliveries' | 'shards'
> & { applications: Applications };

export interface SenderOptions {
  /** The timeout of one whole attempt; the contract's 10 s except in tests. */
  deadlineMs?: number;
  queues?: QueueLimits;
  /** Unless given, it sends for all applications. */
  ownership?: Ownership;
}

/** The state of one worker process between steps. */
export interface Sender extends SenderPlatform, Disposable {
  readonly deadlineMs: number;
  readonly queues: EndpointQueues;
  readonly backlogs: Backlogs;
  /** The events that it is sending, with the application of each: they are still in the queue. */
  readonly underWay: Map<string, string>;
  /** Those that ended since the current claim began: it may have read them before they were recorded. */
  readonly left: Set<string>;
  readonly inFlight: InFlight;
  readonly breakers: Breakers;
  /** The applications for which it sends. */
  readonly ownership: Ownership;
  /**
   * Records the outcome of an attempt, several in one transaction; false if the event has changed since the
   * claim.
   */
  readonly settle: (settlement: Settlement) => Promise<boolean>;
  /** The application that was served last, when there was more to do than one step could. */
  after: Turn;
  /** Events that are claimed from now on are given back instead of attempted. */
  isClosing: boolean;
}

/** Unrecorded events at fast receivers: how many may be sent twice after a crash. */
const IN_FLIGHT = 256;

/** A position before every application. */
export const FIRST_TURN: Turn = { appBucket: 0, appId: '' };

export function createSender(platform: SenderPlatform, options: SenderOptions = {}): Sender {
  const breakers = new Breakers(platform);
  const queues = new EndpointQueues({ ...platform, breakers }, options.queues ?? QUEUE_LIMITS);
  const underWay = new Map<string, string>();
  const inFlight = new InFlight(platform.clock, IN_FLIGHT);
  const settling = new Settling(platform, underWay);
  return {
    ...platform,
    deadlineMs: options.deadlineMs ?? LIMITS.webhookTimeoutMs,
    queues,
    backlogs: new Backlogs(platform.clock, queues),
    underWay,
    left: new Set(),
    inFlight,
    breakers,
    ownership: options.ownership ?? EVERYTHING,
    settle: (settlement) => settling.submit(settlement),
    after: FIRST_TURN,
    isClosing: false,
    [Symbol.dispose]() {
      queues[Symbol.dispose]();
      inFlight[Symbol.dispose]();
    },
  };
}
