import type { ClientConfig } from 'pg';
import { decoderOf } from './values.ts';

const KEEP_ALIVE_MS = 60_000;

/**
 * The common settings of every `pg` client. The parameters of the URL have the same meaning as in libpq, such as
 * `?host=/run/postgresql` for the directory of a Unix socket, and `?sslmode=require`.
 */
export function clientConfig(address: string): ClientConfig {
  const url = new URL(address);
  url.searchParams.set('uselibpqcompat', 'true');
  return {
    connectionString: url.href,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: decoderOf as NonNullable<ClientConfig['types']>['getTypeParser'] },
  };
}
