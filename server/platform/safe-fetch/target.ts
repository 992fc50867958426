import { portOf } from './trusted-hosts.ts';
import { literalAddress } from './url.ts';

/** A judged URL, ready to be requested again and again. */
export interface Target {
  origin: string;
  /** The host, and the port where it is not the usual one. */
  authority: string;
  path: string;
  host: string;
  port: number;
  isLiteral: boolean;
  /** The name that the TLS certificate must have; empty for an address. */
  servername: string;
  /** Of the latest TLS connection whose certificate was verified: the next one need not verify it again. */
  session: Buffer | undefined;
}

export function targetOf(url: URL): Target {
  const address = literalAddress(url.hostname);
  return {
    origin: url.origin,
    authority: url.host,
    path: url.pathname + url.search,
    host: address ?? url.hostname,
    port: portOf(url),
    isLiteral: address !== undefined,
    // RFC 6066 allows neither addresses nor a final dot.
    servername: address === undefined ? url.hostname.replace(/\.$/, '') : '',
    session: undefined,
  };
}
