import { say } from '#contract/reasons.ts';
import { Hosts, readAddresses } from '#platform/database/failover/hosts.ts';
import { openConnection } from '#platform/database.ts';
import { type Finding, faultOf, ok, reasonOf } from './finding.ts';

/** The names of the database's hosts, without the secrets in the URL. */
export function namesOfHosts(databaseUrl: string): string {
  return new Hosts(databaseUrl).all.map(({ name }) => name).join(', ');
}

/**
 * If DATABASE_URL names several hosts, checks each: the service works around an unreachable one, so that nobody would
 * notice.
 */
export async function checkHosts(databaseUrl: string | undefined): Promise<Finding[]> {
  const { urls } = databaseUrl === undefined ? { urls: [] } : readAddresses(databaseUrl);
  return urls.length > 1 ? Promise.all(urls.map(checkHost)) : [];
}

async function checkHost(url: string): Promise<Finding> {
  const name = namesOfHosts(url);
  const connection = openConnection(url);
  try {
    const [row] = await connection.sql<{ isReadOnly: boolean }[]>`
      select current_setting('transaction_read_only')::boolean as is_read_only`;
    return ok('database host', say(row?.isReadOnly ? 'health.host-read-only' : 'health.host', { name }));
  } catch (error) {
    return faultOf('database host', 'health.host-away', { name, reason: reasonOf(error) });
  } finally {
    await connection.close(1);
  }
}
