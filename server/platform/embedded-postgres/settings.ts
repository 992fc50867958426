import { totalmem } from 'node:os';

const MIB = 2 ** 20;
/** In addition to the server's: for the command line, and people who inspect the database. */
const SPARE_CONNECTIONS = 15;
const FEWEST_CONNECTIONS = 50;

/**
 * Passed on the command line, which overrides `postgresql.conf`, so that Parley's guarantees hold even if that file is
 * edited.
 */
export function postgresSettings(
  port: number,
  {
    isDurable = true,
    connections = 0,
    socketDirectory = '',
  }: { isDurable?: boolean; connections?: number; socketDirectory?: string | undefined } = {},
): string[] {
  const durability = isDurable ? 'on' : 'off';
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: socketDirectory,
    max_connections: Math.max(FEWEST_CONNECTIONS, connections + SPARE_CONNECTIONS),

    fsync: durability,
    synchronous_commit: durability,
    full_page_writes: durability,

    shared_buffers: `${Math.max(64, Math.min(256, Math.floor(totalmem() / MIB / 8)))}MB`,
    wal_compression: durability,
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    jit: 'off',
    // Every statement is prepared and finds its rows by keys: one plan suits all values, and planning costs more.
    plan_cache_mode: 'force_generic_plan',
    // Requested rows are in memory or on flash: scanning a small table for one row costs more than using its index.
    random_page_cost: 1.1,

    // The format that server-messages.ts reads. Statements are not logged: they could contain what a person wrote.
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '%b: ',
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    lc_messages: 'C',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
