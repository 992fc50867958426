import type { Connection } from '../connection.ts';
import type { Pool } from '../pool.ts';
import { HealthProbe } from './health-probe.ts';
import type { Host, Hosts, Route } from './hosts.ts';

/** A host that was away is asked again so often. */
const RETRY_TICKS = 8;

export interface HostWatchOptions {
  open: (route: Route) => Connection;
  /** A host that does not answer for so many ticks hangs. */
  slowTicks: number;
  /** After so many, what waits for it is given up, where there is another host to go to. */
  lostTicks: number;
  /** While one hangs, what has been under way at another for so many may wait for it, and is given up: on Citus. */
  waitTicks: number;
}

/**
 * A health probe for each host of a database. Where there are several, one that hangs is given up and passed over, and one
 * that is back gets its share of the connections again.
 */
export class HostWatch {
  readonly #pool: Pool;
  readonly #waitTicks: number;
  /** Of one cluster: a statement at one may need another. */
  #isCluster = false;
  readonly #watched: { host: Host; probe: HealthProbe; wasDown: boolean }[];
  #ticks = 0;

  constructor(hosts: Hosts, pool: Pool, { open, slowTicks, lostTicks, waitTicks }: HostWatchOptions) {
    this.#pool = pool;
    this.#waitTicks = waitTicks;
    this.#watched = hosts.all.map((host) => ({
      host,
      wasDown: false,
      probe: new HealthProbe(() => open(hosts.only(host)), {
        slowTicks,
        lostTicks,
        onAnsweredElsewhere: (ticks) => pool.closeLentFor(ticks, host),
        ...(hosts.all.length > 1 && {
          onSlow() {
            host.isDown = true;
            pool.closeIdle(host);
          },
          onLost: () => pool.closeLentFor(0, host),
        }),
      }),
    }));
  }

  /** False while every host hangs. One that refuses connections does answer. */
  get isAnswering(): boolean {
    return this.#watched.some(({ probe }) => probe.isAnswering);
  }

  set isCluster(isCluster: boolean) {
    this.#isCluster = isCluster;
  }

  /** One of a cluster hangs: what is under way at another may wait for it. */
  get isPartHanging(): boolean {
    return this.#isCluster && this.#watched.some(({ probe }) => !probe.isAnswering);
  }

  isHangingAt(address: string): boolean {
    return this.#watched.some(({ host, probe }) => host.address === address && !probe.isAnswering);
  }

  tick(): void {
    this.#ticks++;
    if (this.isPartHanging)
      for (const { host } of this.#watched) this.#pool.closeLentFor(this.#waitTicks, host);
    for (const watched of this.#watched) {
      const { host, probe, wasDown } = watched;
      if (wasDown && !host.isDown) this.#pool.renew();
      watched.wasDown = host.isDown;
      const isRetried = this.#watched.length > 1 && host.isDown && this.#ticks % RETRY_TICKS === 0;
      if (isRetried) void this.#ask(watched);
      probe.tick(this.#pool.isLendingAt(host));
    }
  }

  /** Whether a host answers a question that is asked now; left open while none does and some hang. */
  probe(): Promise<boolean> {
    const asked = this.#watched.map(async (watched) => {
      if (!(await this.#ask(watched))) throw new Error(`${watched.host.name} does not answer`);
    });
    return Promise.any(asked).then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#watched.map(({ probe }) => probe.close()));
  }

  async #ask({ host, probe }: { host: Host; probe: HealthProbe }): Promise<boolean> {
    const isAnswered = await probe.probe();
    if (isAnswered) host.isDown = false;
    return isAnswered;
  }
}
