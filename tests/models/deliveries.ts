import type { Model } from './checker.ts';

/** Conditions on which delivery relies. */
export const DELIVERY_GUARDS = [
  'an event waits for its commit',
  'an event under way is not claimed again',
  'an attempted event is not queued',
  'a delivered event leaves the queue',
  'a busy worker keeps its lease',
  'a worker is announced before it holds events',
  'a worker is forgotten only without unfinished events',
  'a worker is forgotten only if it has not been seen since',
] as const;
type Guard = (typeof DELIVERY_GUARDS)[number];

/** As the memory queue and `attempt` have it; `taking`: read by a recovery that is going to queue it. */
type Held = 'recorded' | 'waiting' | 'sending' | 'sent' | 'failed' | 'queuing' | 'taking';

interface Worker {
  isAlive: boolean;
  /** What others see; `over`: it cannot hold new events, and its transactions have ended. */
  heartbeat: 'fresh' | 'stale' | 'over';
  /** Its row of `delivery_workers` exists. */
  isListed: boolean;
  /** It holds new events in memory. */
  isOpen: boolean;
  /** It believes that it sends for the application. */
  owns: boolean;
  held: Held | null;
  /** An event that it claimed from the queue, with the number of its attempts then. */
  claim: { attempts: number; phase: 'sending' | 'sent' | 'failed' } | null;
  /** The worker that it is going to forget, and whether that has been seen since. */
  forgets: { worker: number; isSeenSince: boolean } | null;
}

/** One event of one application, the workers, and what has happened. */
interface Delivery {
  event: 'none' | 'uncommitted' | 'stored' | 'rolled back';
  /** The worker that the event names; null if it goes to the queue. */
  names: number | null;
  /** Its row of `event_queue`. */
  queue: { attempts: number } | null;
  /** Its rows of `event_attempts`. */
  isAttempted: boolean;
  isDelivered: boolean;
  workers: Worker[];
  /** Whose lease it is, in Redis. */
  lease: number | null;
  /** How often the receiver got the event, or would have. */
  sends: number;
  failures: number;
  /** Deaths of workers, and leases that ended while their worker lived. */
  deaths: number;
  expiries: number;
  isQueuedAfterDelivery: boolean;
}

export interface Bounds {
  workers: number;
  failures: number;
  deaths: number;
  expiries: number;
}

/**
 * Ownership of deliveries, for one event: leases, memory, queue, recovery and the record of outcomes. Workers die at any moment,
 * and a living one may be taken for dead, while it goes on.
 *
 * @param without a condition that is left out
 */
export function deliveries(bounds: Bounds, without?: Guard): Model<Delivery> {
  const has = (guard: Guard) => guard !== without;

  /** For each living worker. */
  const each =
    (step: (state: Delivery, worker: Worker, index: number) => Delivery[]) =>
    (state: Delivery): Delivery[] =>
      state.workers.flatMap((worker, index) => (worker.isAlive ? step(state, worker, index) : []));
  const change = (state: Delivery, index: number, changes: Partial<Worker>): Delivery => ({
    ...state,
    workers: state.workers.with(index, { ...(state.workers[index] as Worker), ...changes }),
  });
  const isBusy = ({ held, claim }: Worker) =>
    claim !== null || (held !== null && held !== 'recorded' && held !== 'queuing');
  const isUnfinished = ({ event, isAttempted, queue }: Delivery) =>
    event === 'stored' && !isAttempted && queue === null;

  /** `queueHeld`: into the queue, unless another has attempted it; the worker lets go of it. */
  const queueHeld = (state: Delivery, index: number, attempts: number): Delivery => {
    const released = change(state, index, { held: null });
    if (state.isAttempted && has('an attempted event is not queued')) return released;
    return {
      ...released,
      queue: state.queue ?? { attempts },
      isQueuedAfterDelivery: state.isQueuedAfterDelivery || (state.isDelivered && state.queue === null),
    };
  };

  return {
    initial: {
      event: 'none',
      names: null,
      queue: null,
      isAttempted: false,
      isDelivered: false,
      workers: Array.from({ length: bounds.workers }, () => ({
        isAlive: true,
        heartbeat: 'fresh',
        isListed: false,
        isOpen: false,
        owns: false,
        held: null,
        claim: null,
        forgets: null,
      })),
      lease: null,
      sends: 0,
      failures: 0,
      deaths: 0,
      expiries: 0,
      isQueuedAfterDelivery: false,
    },
    actions: {
      'beat: upsertWorker, then memoryQueue.open (delivery.ts)': each(
        (state, { heartbeat, isListed, isOpen }, index) => {
          if (heartbeat === 'fresh' && isListed && isOpen) return [];
          const seen = {
            ...state,
            workers: state.workers.map((other) =>
              other.forgets?.worker === index
                ? { ...other, forgets: { worker: index, isSeenSince: true } }
                : other,
            ),
          };
          const announced = has('a worker is announced before it holds events') ? { isListed: true } : {};
          return [
            change(seen, index, { heartbeat: 'fresh', isListed: true }),
            change(seen, index, { heartbeat: 'fresh', isOpen: true, ...announced }),
          ];
        },
      ),
      'renew (leases.ts)': each((state, worker, index) => {
        if (worker.heartbeat !== 'fresh') return [];
        const { lease } = state;
        if (lease === index) {
          if (worker.owns) {
            const mayLeave = !isBusy(worker) || !has('a busy worker keeps its lease');
            // Its share has changed.
            return [{ ...change(state, index, { owns: false }), lease: mayLeave ? null : index }];
          }
          return [
            change(state, index, { owns: true }),
            ...(isBusy(worker) ? [] : [{ ...state, lease: null }]),
          ];
        }
        if (lease !== null && state.workers[lease]?.heartbeat === 'fresh')
          return worker.owns ? [change(state, index, { owns: false })] : [];
        return [{ ...change(state, index, { owns: true }), lease: index }];
      }),
      'recordEvents (record-events.ts)': each((state, { isOpen, owns }, index) => {
        if (state.event !== 'none') return [];
        const recorded: Delivery = { ...state, event: 'uncommitted' };
        if (!isOpen || !owns) return [recorded];
        const held = has('an event waits for its commit') ? 'recorded' : 'waiting';
        return [{ ...change(recorded, index, { held }), names: index }];
      }),
      'the transaction ends': (state) => {
        if (state.event !== 'uncommitted') return [];
        const queue = state.names === null ? { attempts: 0 } : null;
        return [
          { ...state, event: 'stored', queue },
          { ...state, event: 'rolled back' },
        ];
      },
      'confirm or discard (memory-queue.ts)': each((state, { held }, index) => {
        if (held !== 'recorded' || state.event === 'uncommitted') return [];
        return [change(state, index, { held: state.event === 'stored' ? 'waiting' : null })];
      }),
      'sendHeld (deliver-due.ts)': each((state, { held }, index) =>
        held === 'waiting' ? [change({ ...state, sends: state.sends + 1 }, index, { held: 'sending' })] : [],
      ),
      'deliverDue (deliver-due.ts)': each((state, { owns, held, claim }, index) => {
        if (!state.queue || !owns || held) return [];
        if (claim && has('an event under way is not claimed again')) return [];
        const claimed = { attempts: state.queue.attempts, phase: 'sending' } as const;
        return [change({ ...state, sends: state.sends + 1 }, index, { claim: claimed })];
      }),
      'attempt: the receiver answers (attempt.ts)': each((state, { held, claim }, index) => {
        const failing =
          state.failures < bounds.failures ? { ...state, failures: state.failures + 1 } : undefined;
        const next: Delivery[] = [];
        if (held === 'sending') {
          next.push(change(state, index, { held: 'sent' }));
          if (failing) next.push(change(failing, index, { held: 'failed' }));
        }
        if (claim?.phase === 'sending') {
          next.push(change(state, index, { claim: { ...claim, phase: 'sent' } }));
          if (failing) next.push(change(failing, index, { claim: { ...claim, phase: 'failed' } }));
        }
        return next;
      }),
      'logDelivered: an event in memory (settle.ts)': each((state, { held }, index) => {
        if (held !== 'sent') return [];
        const isUnattempted = state.queue?.attempts === 0 && has('a delivered event leaves the queue');
        const logged = { ...state, isAttempted: true, isDelivered: true };
        return [change(isUnattempted ? { ...logged, queue: null } : logged, index, { held: null })];
      }),
      'settle: queueHeld and insertAttempts (settle.ts)': each((state, { held }, index) =>
        held === 'failed' ? [{ ...queueHeld(state, index, 1), isAttempted: true }] : [],
      ),
      'logDelivered: an event that it claimed (settle.ts)': each((state, { claim }, index) => {
        if (claim?.phase !== 'sent') return [];
        const isUnchanged = state.queue?.attempts === claim.attempts;
        const logged = {
          ...state,
          isAttempted: true,
          isDelivered: true,
          queue: isUnchanged ? null : state.queue,
        };
        return [change(logged, index, { claim: null })];
      }),
      'updateSettled (queries.ts)': each((state, { claim }, index) => {
        if (claim?.phase !== 'failed') return [];
        const isUnchanged = state.queue?.attempts === claim.attempts;
        const queue = isUnchanged ? { attempts: claim.attempts + 1 } : state.queue;
        return [change({ ...state, isAttempted: true, queue }, index, { claim: null })];
      }),
      'takeOverdue (memory-queue.ts)': each((state, { held }, index) =>
        held === 'recorded' || held === 'waiting' ? [change(state, index, { held: 'queuing' })] : [],
      ),
      'queueAll (recovery.ts)': each((state, { held }, index) => {
        if (held !== 'queuing' && held !== 'taking') return [];
        if (state.event === 'stored') return [queueHeld(state, index, 0)];
        // `holdUncommitted`: until its transaction has ended for certain.
        return [change(state, index, { held: state.event === 'uncommitted' ? 'recorded' : null })];
      }),
      'recoverFrom (recovery.ts)': each((state, worker, index) => {
        const { names } = state;
        if (names === null || names === index || isBusy(worker) || !worker.owns || !isUnfinished(state))
          return [];
        const other = state.workers[names] as Worker;
        if (!other.isListed || other.heartbeat === 'fresh') return [];
        return [
          change(state, index, { held: 'taking' }),
          ...(worker.isOpen ? [change(state, index, { held: 'waiting' })] : []),
        ];
      }),
      'recoverHeld: nothing is found (recovery.ts)': each((state, { forgets }, index) =>
        forgets !== null
          ? []
          : state.workers.flatMap((other, at) => {
              const hasFound = state.names === at && isUnfinished(state);
              if (at === index || !other.isListed || other.heartbeat !== 'over') return [];
              if (hasFound && has('a worker is forgotten only without unfinished events')) return [];
              return [change(state, index, { forgets: { worker: at, isSeenSince: false } })];
            }),
      ),
      'deleteWorker (held-queries.ts)': each((state, { forgets }, index) => {
        if (forgets === null) return [];
        const done = change(state, index, { forgets: null });
        if (forgets.isSeenSince && has('a worker is forgotten only if it has not been seen since'))
          return [done];
        return [change(done, forgets.worker, { isListed: false })];
      }),
      'a worker dies': each((state, _worker, index) => {
        if (state.deaths >= bounds.deaths) return [];
        const dead = { isAlive: false, isOpen: false, owns: false, held: null, claim: null, forgets: null };
        return [change({ ...state, deaths: state.deaths + 1 }, index, dead)];
      }),
      'its heartbeat gets old': (state) =>
        state.workers.flatMap((worker, index) => {
          if (worker.heartbeat === 'stale' && state.event !== 'uncommitted')
            return [change(state, index, { heartbeat: 'over', isOpen: false })];
          if (worker.heartbeat !== 'fresh') return [];
          if (!worker.isAlive) return [change(state, index, { heartbeat: 'stale' })];
          if (state.expiries >= bounds.expiries) return [];
          return [change({ ...state, expiries: state.expiries + 1 }, index, { heartbeat: 'stale' })];
        }),
    },
    invariants: {
      'nothing is sent that was not stored': ({ sends, event }) => sends === 0 || event === 'stored',
      'each attempt is made once, or twice once a lease has ended early, and one more for each death': ({
        sends,
        failures,
        deaths,
        expiries,
      }) => sends <= (1 + failures) * (expiries > 0 ? 2 : 1) + deaths,
      'an event that was recorded as delivered is not queued again': (state) => !state.isQueuedAfterDelivery,
    },
    reachable: {
      'a stored event can still be delivered': ({ event, isDelivered }) =>
        isDelivered || event === 'none' || event === 'rolled back',
      'nothing is left to do': ({ event, queue, workers }) =>
        event !== 'uncommitted' && queue === null && !workers.some(isBusy),
    },
  };
}
