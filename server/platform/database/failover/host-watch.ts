import type { Connection } from '../connection.ts';
import type { Pool } from '../pool.ts';
import { HealthProbe } from './health-probe.ts';
import type { Host, Hosts, Route } from './hosts.ts';

/** How often a failed host is probed again. */
const RETRY_TICKS = 8;

export interface HostWatchOptions {
  open: (route: Route) => Connection;
  /** A host that does not answer for this many ticks counts as hanging. */
  slowTicks: number;
  /** After this many, statements that wait for it are abandoned, if there is another host. */
  lostTicks: number;
  /**
   * On Citus: while a host hangs, statements in progress on another for this many ticks may be waiting for it, and are
   * abandoned.
   */
  waitTicks: number;
}

/**
 * A health probe for each host of a database. With several hosts, a hanging one is skipped, and one that has recovered gets
 * its share of connections again.
 */
export class HostWatch {
  readonly #pool: Pool;
  readonly #waitTicks: number;
  /** The hosts are nodes of one cluster, where a statement on one may need another. */
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

  /** A cluster node hangs: statements in progress on another may be waiting for it. */
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

  /** Probes now, and returns whether any host answers; pending while none does and some hang. */
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
