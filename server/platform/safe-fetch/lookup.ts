import { lookup, Resolver } from 'node:dns/promises';

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
