/** `localhost` (any port) or `localhost:4000`, as the operator wrote them, in lower case. */
export type TrustedHosts = readonly string[];

/**
 * Reads the entries of the operator's list.
 *
 * @throws Error naming the entry that is neither `host` nor `host:port`
 */
export function readTrustedHosts(entries: readonly string[]): TrustedHosts {
  return entries.map((entry) => {
    const host = entry.trim().toLowerCase();
    if (/^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d{1,5})?$/.test(host)) return host;
    throw new Error(`must be host or host:port, not "${entry}"`);
  });
}

/** @param host as `URL.hostname` has it (IPv6 in brackets) */
export function isTrustedHost(trustedHosts: TrustedHosts, host: string, port: number): boolean {
  if (trustedHosts.length === 0) return false;
  const name = host.replace(/\.$/, '');
  return trustedHosts.includes(name) || trustedHosts.includes(`${name}:${port}`);
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}
