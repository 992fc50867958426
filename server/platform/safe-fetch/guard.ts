import { lookup, Resolver } from 'node:dns/promises';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { Config } from '../config.ts';
import { isPublicAddress } from './address.ts';
import { isTrustedHost, portOf, readTrustedHosts, type TrustedHosts } from './trusted-hosts.ts';
import { checkUrl, literalAddress, type UrlCheck } from './url.ts';

export interface Address {
  address: string;
  family: number;
}

/** All addresses of a name; throws if there is none. */
export type Lookup = (host: string) => Promise<Address[]>;

/**
 * Queries the name servers directly. `dns.lookup` would use libuv's thread pool, where two names whose servers never answer
 * block every other lookup of the process. A resolver per query rereads the configuration.
 */
export const lookupPublicName: Lookup = async (host) => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
  return [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
};

/** For hosts that the operator trusts, which may be only in the hosts file. */
export const lookupTrustedName: Lookup = (host) => lookup(host, { all: true, order: 'verbatim' });

function addressesOf(answer: PromiseSettledResult<string[]>, family: number): Address[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

/** The part that all guarded connections of the process share. */
export interface Guard {
  readonly trustedHosts: TrustedHosts;
  readonly secureContext: SecureContext;
  /** The addresses of a name, all checked. Throws a `Refusal`. */
  resolve(host: string, port: number): Promise<Address[]>;
  /** The same guard, which also lets through one `host:port` in the operator's own network. */
  trusting(host: string): Guard;
}

export interface GuardOptions {
  /** `host` or `host:port`. */
  trustedHosts?: readonly string[];
  /** PEM texts of authorities that are trusted in addition to the default ones. */
  extraAuthorities?: readonly string[];
  /** Replaces DNS in tests. */
  lookup?: Lookup;
}

export class Refusal extends Error {
  readonly reason: 'dns' | 'private_address';

  constructor(reason: 'dns' | 'private_address', cause?: unknown) {
    super(reason, { cause });
    this.name = 'Refusal';
    this.reason = reason;
  }
}

/** Create one per process: reading the root certificates takes milliseconds, and connections share the result. */
export function createGuard({ extraAuthorities = [], lookup, ...options }: GuardOptions = {}): Guard {
  const trustedHosts = readTrustedHosts(options.trustedHosts ?? []);
  // If undefined, Node uses its own store without rereading the list.
  const ca = extraAuthorities.length > 0 ? [...getCACertificates('default'), ...extraAuthorities] : undefined;
  const secureContext = createSecureContext({ ...(ca && { ca }), minVersion: 'TLSv1.2' });
  const guardWith = (ownHosts: TrustedHosts): Guard => ({
    trustedHosts: [...trustedHosts, ...ownHosts],
    secureContext,
    trusting: (host) => guardWith([...ownHosts, ...readTrustedHosts([host])]),
    async resolve(host, port) {
      const isListed = isTrustedHost(trustedHosts, host, port);
      const isTrusted = isListed || isTrustedHost(ownHosts, host, port);
      const ask = lookup ?? (isListed ? lookupTrustedName : lookupPublicName);
      const addresses = await ask(host.replace(/\.$/, '')).catch((error: unknown) => {
        throw new Refusal('dns', error);
      });
      if (addresses.length === 0) throw new Refusal('dns');
      // A single private address is refused: a name with both kinds is an attack or a mistake.
      if (!isTrusted && !addresses.every(({ address }) => isPublicAddress(address))) {
        throw new Refusal('private_address');
      }
      return addresses;
    },
  });
  return guardWith([]);
}

/** With the hosts and authorities that the operator trusts. */
export function guardOf({
  webhookTrustedHosts,
  webhookCa,
}: Pick<Config, 'webhookTrustedHosts' | 'webhookCa'>) {
  return createGuard({
    trustedHosts: webhookTrustedHosts,
    extraAuthorities: webhookCa ? [webhookCa] : [],
  });
}

/**
 * Checks a URL before it is saved, including its host's addresses. A name that does not resolve yet may be saved: it is
 * checked again at every connection.
 */
export async function checkForSaving(guard: Guard, text: string, deadlineMs = 3000): Promise<UrlCheck> {
  const checked = checkUrl(text, guard);
  if ('fault' in checked || literalAddress(checked.url.hostname) !== undefined) return checked;
  const deadline = Promise.withResolvers<void>();
  const timer = setTimeout(deadline.resolve, deadlineMs);
  try {
    await Promise.race([guard.resolve(checked.url.hostname, portOf(checked.url)), deadline.promise]);
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'private_address') return { fault: 'private-address' };
    if (!(error instanceof Refusal)) throw error;
  } finally {
    clearTimeout(timer);
  }
  return checked;
}
