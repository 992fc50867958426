import type { Socket } from 'node:net';
import type { ClientConfig } from 'pg';
import { noHost } from '../connection-errors.ts';
import { decoderOf } from '../values.ts';

const KEEP_ALIVE_MS = 60_000;

/**
 * The common settings of every `pg` client. The parameters of the URL have the same meaning as in libpq, such as
 * `?host=/run/postgresql` for the directory of a Unix socket, and `?sslmode=require`.
 */
function clientConfig(address: string): ClientConfig {
  const url = new URL(address);
  url.searchParams.set('uselibpqcompat', 'true');
  return {
    connectionString: url.href,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: decoderOf as NonNullable<ClientConfig['types']>['getTypeParser'] },
  };
}

/** The addresses in a URL, and how connections are made to them. */
export interface Addresses {
  urls: string[];
  /** Skips hosts that are read-only, such as a standby; the default with several hosts. */
  mustTakeWrites: boolean;
  /** Connections are spread over the hosts, rather than all made to the first that answers. */
  isSpread: boolean;
}

const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/**
 * Reads a URL as libpq does: hosts separated by commas, each with its own port or all with one, before the database name or
 * in `?host=…&port=…`. With several hosts, `target_session_attrs` and `load_balance_hosts` have other defaults.
 *
 * @throws with a message that follows the name of the setting
 */
export function readAddresses(text: string): Addresses {
  const [, begin, authority, rest] = URL_PARTS.exec(text) ?? [];
  if (begin === undefined || authority === undefined) throw new Error('must begin with postgres://');
  const urls = authority.split(',').map((host) => toUrl(`${begin}${host}${rest}`));
  const [first] = urls as [URL, ...URL[]];
  const target = first.searchParams.get('target_session_attrs');
  if (target !== null && !/^(any|primary|read-write)$/.test(target))
    throw new Error(`has target_session_attrs=${target}, but a server writes: any, primary or read-write`);
  const balance = first.searchParams.get('load_balance_hosts');
  if (balance !== null && !/^(disable|random)$/.test(balance))
    throw new Error(`has load_balance_hosts=${balance}, which must be disable or random`);
  const hosts = first.searchParams.get('host')?.split(',') ?? [];
  const ports = first.searchParams.get('port')?.split(',') ?? [];
  if (hosts.length > 1 && urls.length > 1) throw new Error('names several hosts, and others in ?host=');
  const count = Math.max(urls.length, hosts.length);
  if (ports.length > 1 && ports.length !== count)
    throw new Error(`names ${count} hosts and ${ports.length} ports: one port for all, or one for each`);
  return {
    urls: Array.from({ length: count }, (_, i) => {
      const url = new URL((urls[i] ?? first).href);
      for (const name of ['target_session_attrs', 'load_balance_hosts']) url.searchParams.delete(name);
      if (hosts.length > 0) url.searchParams.set('host', (hosts[i] ?? hosts[0]) as string);
      if (ports.length > 0) url.searchParams.set('port', (ports[i] ?? ports[0]) as string);
      return url.href;
    }),
    mustTakeWrites: target === null ? count > 1 : target !== 'any',
    isSpread: balance !== 'disable',
  };
}

function toUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url)
    throw new Error(
      'must be such as postgres://user:password@host:5432/database, several hosts separated by commas',
    );
  return url;
}

const DEFAULT_PORT = '5432';

/** Reopened sessions a second are the rest of two, of which a probe may need one half. */
const SESSIONS_PER_TICK = 0.375;

export class Host {
  /** For people. */
  readonly name: string;
  /** `host:port`. */
  readonly address: string;
  readonly config: ClientConfig;
  /** Why it is not used: it refused the last connection, or is silent while others answer. */
  failure: Error | undefined;
  /** It owes an answer, and others do not: they are preferred meanwhile. */
  isLate = false;
  readonly #sockets = new Set<Socket>();
  readonly #firstSessions: number;
  #sessionsLeft: number;

  /** @param firstSessions how many may be opened at once; beyond that, their rate is limited */
  constructor(url: string, firstSessions = 1) {
    const { host, hostname, port: ownPort, searchParams } = new URL(url);
    const { [0]: inPath = host } = searchParams.getAll('host');
    const port = searchParams.get('port');
    this.name = port === null ? inPath : `${inPath}:${port}`;
    this.address = `${searchParams.get('host') ?? hostname}:${port ?? (ownPort || DEFAULT_PORT)}`;
    this.config = clientConfig(url);
    this.#firstSessions = firstSessions;
    this.#sessionsLeft = firstSessions;
  }

  /** Connections that are open or being opened, besides those of probes. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Counts a connection until it is closed. */
  hold(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** Returns false if the host has been given enough new sessions lately. */
  takeSession(): boolean {
    if (this.#sessionsLeft < 1) return false;
    this.#sessionsLeft--;
    return true;
  }

  tick(): void {
    this.#sessionsLeft = Math.min(this.#firstSessions, this.#sessionsLeft + SESSIONS_PER_TICK);
  }

  /** Breaks its connections, with all that waits for them. */
  breakOff(reason: Error): void {
    for (const socket of this.#sockets) socket.destroy(reason);
  }
}

/** The hosts to which a connection may be made. */
export interface Route {
  /** All hosts, in the order in which to try them. */
  inOrder(): readonly Host[];
  readonly mustTakeWrites: boolean;
  /** The connection is not counted, and outlives {@link Host.breakOff}. */
  readonly isProbe?: true;
}

export class Hosts implements Route {
  readonly all: readonly Host[];
  readonly mustTakeWrites: boolean;
  readonly #isSpread: boolean;
  readonly #rotation: number;

  constructor(url: string, firstSessions?: number) {
    const { urls, mustTakeWrites, isSpread } = readAddresses(url);
    this.all = urls.map((one) => new Host(one, firstSessions));
    this.mustTakeWrites = mustTakeWrites;
    this.#isSpread = isSpread;
    // Different processes begin with different hosts.
    this.#rotation = isSpread ? process.pid % urls.length : 0;
  }

  /** Fewest connections first, hosts that are away last. */
  inOrder(): readonly Host[] {
    if (this.all.length === 1) return this.all;
    const rotated = [...this.all.slice(this.#rotation), ...this.all.slice(0, this.#rotation)];
    return rotated.sort(
      (a, b) =>
        Number(a.failure !== undefined) - Number(b.failure !== undefined) ||
        Number(a.isLate) - Number(b.isLate) ||
        (this.#isSpread ? a.connections - b.connections : 0),
    );
  }

  find(address: string): Host | undefined {
    return this.all.find((one) => one.address === address);
  }

  /**
   * The host of the next connection: the given one, or the best of all. Undefined while those that can be used have been
   * given enough new sessions.
   *
   * @throws the failures of the hosts if none can be used
   */
  next(wanted?: Host): Host | undefined {
    const asked = wanted ? [wanted] : this.inOrder();
    const able = asked.filter(({ failure }) => failure === undefined);
    if (able.length === 0) throw noHost(asked.map((host) => [host, host.failure as Error]));
    return able.find((host) => host.takeSession());
  }

  /** A host that should give up a connection, since another one is back that usually has more. */
  findCrowded(): Host | undefined {
    const able = this.inOrder().filter(({ failure }) => failure === undefined);
    const [first, last] = [able[0], able.at(-1)];
    if (!first || !last || first === last) return undefined;
    if (this.#isSpread) return last.connections - first.connections > 1 ? last : undefined;
    return able.slice(1).find(({ connections }) => connections > 0);
  }

  only(host: Host): Route {
    return { inOrder: () => [host], mustTakeWrites: this.mustTakeWrites };
  }

  toProbe(host: Host): Route {
    return { ...this.only(host), isProbe: true };
  }
}
