import type { ClientConfig } from 'pg';
import { clientConfig } from '../client-config.ts';

/** The addresses in a URL, and how connections are made to them. */
export interface Addresses {
  /** A URL for each host. */
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

/** One address of the database. */
export class Host {
  /** For people. */
  readonly name: string;
  /** `host:port`. */
  readonly address: string;
  readonly config: ClientConfig;
  /** Connections of the pool that are open or being opened. */
  connections = 0;
  /** The last attempt to connect failed. */
  isDown = false;

  constructor(url: string) {
    const { host, hostname, port: ownPort, searchParams } = new URL(url);
    const { [0]: inPath = host } = searchParams.getAll('host');
    const port = searchParams.get('port');
    this.name = port === null ? inPath : `${inPath}:${port}`;
    this.address = `${searchParams.get('host') ?? hostname}:${port ?? (ownPort || DEFAULT_PORT)}`;
    this.config = clientConfig(url);
  }
}

/** The hosts to which a connection may be made. */
export interface Route {
  /** All hosts, in the order in which to try them. */
  inOrder(): readonly Host[];
  readonly mustTakeWrites: boolean;
}

/** The hosts of a URL. */
export class Hosts implements Route {
  readonly all: readonly Host[];
  readonly mustTakeWrites: boolean;
  readonly #isSpread: boolean;
  readonly #rotation: number;

  constructor(url: string) {
    const { urls, mustTakeWrites, isSpread } = readAddresses(url);
    this.all = urls.map((one) => new Host(one));
    this.mustTakeWrites = mustTakeWrites;
    this.#isSpread = isSpread;
    // Different processes begin with different hosts.
    this.#rotation = isSpread ? process.pid % urls.length : 0;
  }

  /** Fewest connections first, hosts that are down last. */
  inOrder(): readonly Host[] {
    if (this.all.length === 1) return this.all;
    const rotated = [...this.all.slice(this.#rotation), ...this.all.slice(0, this.#rotation)];
    return rotated.sort(
      (a, b) => Number(a.isDown) - Number(b.isDown) || (this.#isSpread ? a.connections - b.connections : 0),
    );
  }

  /** Only the host with this address; all hosts if there is none. */
  at(address: string): Route {
    const host = this.all.find((one) => one.address === address);
    return host ? this.only(host) : this;
  }

  /** Only this host. */
  only(host: Host): Route {
    return { inOrder: () => [host], mustTakeWrites: this.mustTakeWrites };
  }
}
