/** `localhost` (any port) or `localhost:4000`, as the operator wrote them, in lower case. */
export type TrustedHosts = readonly string[];

/**
 * Reads a comma-separated list such as `localhost:4000, hooks.example.test`.
 *
 * @throws Error naming the entry that is neither `host` nor `host:port`
 */
export function parseTrustedHosts(text: string): TrustedHosts {
  const entries = text
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');
  for (const entry of entries) {
    if (!/^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d{1,5})?$/.test(entry)) {
      throw new Error(`"${entry}" is neither host nor host:port`);
    }
  }
  return entries;
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
