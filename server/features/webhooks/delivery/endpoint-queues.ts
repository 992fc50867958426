import type { Platform } from '#platform/platform.ts';
import { WebhookAgent } from '#platform/safe-fetch/agent.ts';
import type { PostResult } from '#platform/safe-fetch/safe-post.ts';
import type { Breakers } from '../breakers.ts';
import { isDelivered } from '../rules.ts';

export interface QueueLimits {
  /** Attempts in progress at once, over all applications. */
  total: number;
  /** How many of those may belong to applications that are not known to answer promptly. */
  unproven: number;
  /** How many attempts of such applications may begin within {@link PACE_MS}. */
  unprovenPerPace: number;
  /** Per application, so that a receiver that takes its 10 s leaves slots to the others. */
  perApplication: number;
  /** The initial number for an application to which this process has not posted. */
  initial: number;
  /** Applications whose idle connections are kept. */
  kept: number;
}

/** Half of the slots may be slow: all a slow receiver occupies for 10 s is a waiting socket. */
export const QUEUE_LIMITS: QueueLimits = {
  total: 1024,
  unproven: 512,
  unprovenPerPace: 32,
  perApplication: 16,
  initial: 1,
  kept: 1000,
};

/**
 * Most of what an unproven application costs is its TLS handshake. Hundreds of them at once, after a restart
 * or an outage, would block the event loop.
 */
export const PACE_MS = 200;

/** A receiver that answers within this time does not occupy slots for long. */
const PROMPT_MS = 1_000;
/** A few concurrent posts are enough for a receiver that answers within this time; distant ones need more. */
const QUICK_MS = 100;

interface EndpointQueue {
  agent: WebhookAgent;
  running: number;
  /**
   * How many attempts may be in progress. Slow start: every delivery adds one, every failure halves it, so
   * that a recovering receiver is not flooded with its backlog: it gets 1, 2, 4, 8, then 16 at once.
   */
  width: number;
  isPrompt: boolean;
  /** Its latest attempt got an answer, however late: a busy machine makes all receivers late. */
  isAnswering: boolean;
}

interface QueueDeps extends Pick<Platform, 'guard' | 'clock'> {
  breakers: Pick<Breakers, 'allowance' | 'open'>;
}

/** The attempts in progress of each application in this process, and their kept-alive connections. */
export class EndpointQueues implements Disposable {
  readonly limits: QueueLimits;
  readonly #deps: QueueDeps;
  readonly #queues = new Map<string, EndpointQueue>();
  #running = 0;
  #unproven = 0;
  #pace = { startedAt: 0, begun: 0 };

  constructor(deps: QueueDeps, limits: QueueLimits = QUEUE_LIMITS) {
    this.#deps = deps;
    this.limits = limits;
  }

  get free(): number {
    return this.limits.total - this.#running;
  }

  /**
   * Whether a claim is worth its cost, which is mostly fixed: if half of the slots not used by slow receivers
   * are free.
   */
  get hasRoom(): boolean {
    const { total } = this.limits;
    return this.free >= Math.ceil(Math.max(total / 16, (total - this.#unproven) / 2));
  }

  /** How many attempts an application unknown to this process may begin. */
  get freeOfUnknown(): number {
    return this.#hasRoomForUnproven() ? this.limits.initial : 0;
  }

  /** Whether an application gets nothing only because too many attempts have just begun. */
  get isPaced(): boolean {
    return this.#currentPace().begun >= this.limits.unprovenPerPace;
  }

  freeOf(appId: string): number {
    const queue = this.#queues.get(appId);
    const allowance = this.#deps.breakers.allowance(appId) ?? Number.POSITIVE_INFINITY;
    if (!queue) return Math.min(this.freeOfUnknown, allowance);
    const { running, width, isPrompt } = queue;
    if (!isPrompt && !this.#hasRoomForUnproven()) return 0;
    return Math.max(0, Math.min(width, allowance) - running);
  }

  /** How many attempts of an application are in progress. */
  runningOf(appId: string): number {
    return this.#queues.get(appId)?.running ?? 0;
  }

  /** Whether its receiver may be slow: its last attempt timed out, or its best time is above the limit. */
  isSlow(appId: string): boolean {
    const queue = this.#queues.get(appId);
    return !queue?.isAnswering || queue.agent.paceMs > QUICK_MS;
  }

  /** The applications whose number of free slots differs from that of an unknown one. */
  known(): Set<string> {
    return new Set([...this.#queues.keys(), ...this.#deps.breakers.open()]);
  }

  enter(appId: string): WebhookAgent {
    const queue = this.#queues.get(appId) ?? this.#open();
    // Inserted again, so that the first entry is the least recently used one.
    this.#queues.delete(appId);
    this.#queues.set(appId, queue);
    queue.running++;
    this.#running++;
    if (!queue.isPrompt) {
      this.#unproven++;
      this.#currentPace().begun++;
    }
    return queue.agent;
  }

  /**
   * @param result of the attempt; missing if none was made @returns true if something may have waited for the free slot
   */
  leave(appId: string, result?: PostResult): boolean {
    const queue = this.#queues.get(appId);
    if (!queue) return false;
    const wasFull = !this.hasRoom || this.freeOf(appId) === 0 || this.freeOfUnknown === 0;
    if (!queue.isPrompt) this.#unproven -= queue.running;
    queue.running--;
    this.#running--;
    if (result) this.#learn(queue, result);
    if (!queue.isPrompt) this.#unproven += queue.running;
    return wasFull && this.hasRoom;
  }

  [Symbol.dispose](): void {
    for (const queue of this.#queues.values()) queue.agent[Symbol.dispose]();
    this.#queues.clear();
  }

  #learn(queue: EndpointQueue, result: PostResult): void {
    queue.isPrompt = result.timings.total < PROMPT_MS;
    queue.isAnswering = result.kind === 'response';
    if (isDelivered(result)) queue.width = Math.min(queue.width + 1, this.limits.perApplication);
    else if (result.kind === 'failure' && result.reason === 'timeout') queue.width = 1;
    else queue.width = Math.max(1, Math.floor(queue.width / 2));
  }

  #hasRoomForUnproven(): boolean {
    return this.#unproven < this.limits.unproven && !this.isPaced;
  }

  #currentPace(): { startedAt: number; begun: number } {
    const now = this.#deps.clock.now();
    if (Math.abs(now - this.#pace.startedAt) >= PACE_MS) this.#pace = { startedAt: now, begun: 0 };
    return this.#pace;
  }

  #open(): EndpointQueue {
    if (this.#queues.size >= this.limits.kept) this.#closeOldestIdle();
    const agent = new WebhookAgent(this.#deps.guard, { maxIdleSockets: this.limits.perApplication });
    return { agent, running: 0, width: this.limits.initial, isPrompt: false, isAnswering: false };
  }

  #closeOldestIdle(): void {
    for (const [appId, queue] of this.#queues) {
      if (queue.running > 0) continue;
      queue.agent[Symbol.dispose]();
      this.#queues.delete(appId);
      return;
    }
  }
}
