import { portOf } from './trusted-hosts.ts';
import { literalAddress } from './url.ts';

/** A checked URL, prepared for repeated requests. */
export interface Target {
  origin: string;
  /** The host, with the port if it is not the default. */
  authority: string;
  path: string;
  host: string;
  port: number;
  isLiteral: boolean;
  /** The name that the TLS certificate must have; empty for an address. */
  servername: string;
  /** The TLS session of the latest verified connection, for resumption without another verification. */
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
