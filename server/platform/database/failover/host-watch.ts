import { withCode } from '../connection-errors.ts';
import type { Pool } from '../pool.ts';
import { type Asked, HealthProbe } from './health-probe.ts';
import type { Host, Hosts, Route } from './hosts.ts';

/** A host that alone has been silent for so many ticks is away: 1.5 s, which leaves time for an answer within 2 s. */
const AWAY_TICKS = 6;
/** One that owes an answer for so many ticks gets no new work while others have time for it. */
const LATE_TICKS = 2;
/** New work is refused once no host has answered for so many ticks: it would only wait. */
const SILENT_TICKS = 4;
/** On Citus: while a node is away, what others have had for so many ticks may be waiting for it. */
const WAITING_TICKS = 4;
/** A host that has been silent for 32 s, longer than a statement may take, will not answer in time. */
const LOST_TICKS = 128;
/** How often a host that is away is asked at first, and after several refusals. */
const FIRST_RETRY_TICKS = 2;
const LONGEST_RETRY_TICKS = 8;
/** Connections return to a host one by one, at this interval. */
const MOVE_TICKS = 4;

const SILENT = withCode('CONNECTION_CLOSED', 'the host does not answer');

type WatchedPool = Pick<Pool, 'isInUse' | 'closeLentFor' | 'leave'>;

interface Watched {
  host: Host;
  probe: HealthProbe;
  refusals: number;
  /** Until it is asked again. */
  restTicks: number;
}

/** A host as operators see it. */
export interface HostState {
  name: string;
  /** `host:port`. */
  address: string;
  isUp: boolean;
  latencyMs: number;
  connections: number;
}

/**
 * Judges the hosts of a database. A host is away when it refuses, or when it alone is silent while the others answer as
 * usual; if most are slow, it is load, and none is marked (decision 0058). Nothing is closed because it is slow, but
 * what was sent fails once its host has been silent for longer than a statement may take.
 */
export class HostWatch {
  readonly #hosts: Hosts;
  readonly #pool: WatchedPool;
  readonly #watched: readonly Watched[];
  /** The hosts are nodes of one cluster, where a statement on one may need another. */
  isCluster = false;
  #ticks = 0;

  constructor(hosts: Hosts, pool: WatchedPool, open: (route: Route) => Asked) {
    this.#hosts = hosts;
    this.#pool = pool;
    this.#watched = hosts.all.map((host) => {
      const watched: Watched = {
        host,
        refusals: 0,
        restTicks: 0,
        probe: new HealthProbe(() => open(hosts.toProbe(host)), {
          onAnswer(refusal) {
            host.failure = refusal;
            watched.refusals = refusal ? watched.refusals + 1 : 0;
            watched.restTicks = Math.min(LONGEST_RETRY_TICKS, FIRST_RETRY_TICKS * watched.refusals);
          },
          onDead: () => host.breakOff(SILENT),
        }),
      };
      return watched;
    });
  }

  /** False while every host is silent for longer than usual. One that refuses connections does answer. */
  get isAnswering(): boolean {
    const able = this.#watched.filter(({ host }) => host.failure === undefined);
    const isHeard = ({ probe }: Watched) => probe.silentTicks < SILENT_TICKS * (1 + probe.usualTicks);
    return able.length === 0 || able.some(isHeard);
  }

  get isPartAway(): boolean {
    return this.isCluster && this.#hosts.all.some(({ failure }) => failure !== undefined);
  }

  get states(): HostState[] {
    return this.#watched.map(({ host: { name, address, failure, connections }, probe: { latencyMs } }) => ({
      name,
      address,
      isUp: failure === undefined,
      latencyMs,
      connections,
    }));
  }

  tick(): void {
    this.#ticks++;
    for (const watched of this.#watched) {
      const { host, probe } = watched;
      host.tick();
      probe.tick();
      if (probe.silentTicks === LOST_TICKS) host.breakOff(SILENT);
      const isDue = host.failure === undefined ? this.#pool.isInUse : --watched.restTicks < 0;
      if (isDue) void probe.ask();
    }
    const isLate = ({ probe }: Watched) => probe.silentTicks >= LATE_TICKS;
    const isAnyInTime = this.#watched.some((one) => one.host.failure === undefined && !isLate(one));
    for (const watched of this.#watched) watched.host.isLate = isAnyInTime && isLate(watched);
    for (const watched of this.#watched)
      if (watched.host.failure === undefined && this.#isAway(watched)) this.#leave(watched.host);
    if (this.isPartAway) this.#pool.closeLentFor(WAITING_TICKS);
    const crowded = this.#ticks % MOVE_TICKS === 0 && this.#pool.isInUse && this.#hosts.findCrowded();
    if (crowded) this.#pool.leave(crowded);
  }

  /** Asks now, and returns whether any host answers; pending while none does and some are silent. */
  probe(): Promise<boolean> {
    const asked = this.#watched.map(async ({ host, probe }) => {
      if (!(await probe.ask())) throw new Error(`${host.name} does not answer`);
    });
    return Promise.any(asked).then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#watched.map(({ probe }) => probe.close()));
  }

  #leave(host: Host): void {
    host.failure = SILENT;
    host.breakOff(SILENT);
  }

  #isAway({ host, probe }: Watched): boolean {
    const others = this.#watched
      .filter((other) => other.host !== host && other.host.failure === undefined)
      .map((other) => other.probe.slowTicks)
      .sort((a, b) => a - b);
    const median = others[Math.floor(others.length / 2)];
    if (median === undefined) return false;
    return probe.silentTicks >= AWAY_TICKS * (1 + Math.floor(Math.max(median, probe.usualTicks)));
  }
}
