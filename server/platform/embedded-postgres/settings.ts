import { totalmem } from 'node:os';

const MIB = 2 ** 20;
/** Beside those of the server: the command line, and whoever looks into the database. */
const SPARE_CONNECTIONS = 15;
const FEWEST_CONNECTIONS = 50;

/** Given on the command line, where they win over `postgresql.conf`: what Parley promises holds on any edited file. */
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
    // Rows that requests ask for are in memory or on flash: reading a small table for one row of it costs more than its index.
    random_page_cost: 1.1,

    // The form that server-messages.ts reads. No statement is logged: it could hold what a person wrote.
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '%b: ',
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    lc_messages: 'C',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
