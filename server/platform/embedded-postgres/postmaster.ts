import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { totalmem } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { type LaunchPlan, launchCommand } from './launch.ts';

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

interface ServerMessage {
  text: string;
  level: 'warn' | 'error' | undefined;
}

const LINE = /^([a-z ]+): (WARNING|ERROR|LOG|FATAL|PANIC): +(.*)$/;
const LOG_WORTH_A_WARNING = /terminated by signal|was not properly shut down|^could not /;

/**
 * Parses a line of the server's log. Errors of client sessions other than a PANIC are dropped, since the client receives
 * them, and so are details, which could contain a row's content, and lines in another format.
 */
export function readServerMessage(line: string): ServerMessage {
  const [, process = '', severity, text = line] = LINE.exec(line) ?? [];
  return { text, level: levelOf(process, severity, text) };
}

function levelOf(process: string, severity: string | undefined, text: string): ServerMessage['level'] {
  if (severity === 'PANIC') return 'error';
  if (process.endsWith('backend') || process === 'parallel worker') return undefined;
  if (severity === 'ERROR' || severity === 'FATAL') return 'error';
  if (severity === 'WARNING') return 'warn';
  return severity === 'LOG' && LOG_WORTH_A_WARNING.test(text) ? 'warn' : undefined;
}

export type PostgresLog = Pick<Logger, 'info' | 'warn' | 'error'>;

/** A PostgreSQL server that is our child process and accepts connections. */
export interface Postmaster {
  readonly ended: Promise<string>;
}

/** PostgreSQL ended before it accepted connections. */
export class PostmasterFailure extends Error {
  /** Whether another port, or a moment of waiting, may help: backends of a killed postmaster take a moment to notice. */
  readonly mayPass: boolean;

  constructor(reason: string) {
    super(`PostgreSQL did not start: ${reason}`);
    // That the address is in use is a warning before it.
    this.mayPass = /could not create any TCP\/IP sockets|shared memory block .* is still in use/.test(reason);
  }
}

const SHUTDOWN_TIMEOUT_MS = 30_000;

/**
 * Starts PostgreSQL on a cluster and waits until it accepts connections, however long recovery takes. When the signal
 * aborts, at any time, it shuts down: sessions are ended and everything is written to disk.
 */
export async function startPostmaster(options: {
  postgres: string;
  plan: LaunchPlan;
  cluster: string;
  port: number;
  socketDirectory: string | undefined;
  isDurable: boolean;
  connections: number;
  log: PostgresLog;
  signal: AbortSignal;
}): Promise<Postmaster> {
  const { postgres, plan, cluster, port, socketDirectory, isDurable, connections, log, signal } = options;
  signal.throwIfAborted();
  const server = launchCommand(plan, postgres, [
    '-D',
    cluster,
    ...postgresSettings(port, { isDurable, connections, socketDirectory }),
  ]);
  const child = spawn(server.command, server.args, {
    ...server.spawnOptions,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let shutdownTimer: NodeJS.Timeout | undefined;
  const shutDown = () => {
    child.kill('SIGINT');
    shutdownTimer = setTimeout(() => {
      log.warn('PostgreSQL takes long to stop; cutting it short, the next start will recover');
      child.kill('SIGQUIT');
    }, SHUTDOWN_TIMEOUT_MS);
  };
  signal.addEventListener('abort', shutDown);
  process.once('exit', shutDown);
  const ended = new Promise<string>((resolve) => {
    const settle = (code: number | null, by: string | null) => {
      clearTimeout(shutdownTimer);
      signal.removeEventListener('abort', shutDown);
      process.off('exit', shutDown);
      resolve(by ?? `exit code ${code}`);
    };
    child.once('exit', settle);
    child.once('close', settle);
  });
  await untilReady(child, { log, signal });
  return { ended };
}

/** Resolves once connections are accepted, and keeps passing messages to the log until the server exits. */
function untilReady(
  child: ChildProcessByStdio<null, null, Readable>,
  { log, signal }: { log: PostgresLog; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isReady = false;
    const complaints: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      const { text, level } = readServerMessage(line);
      if (text === 'database system is ready to accept connections') {
        isReady = true;
        resolve();
      }
      // Until it is ready, anything above a warning may be the reason for the failure that we throw.
      if (!isReady && level !== 'warn') complaints.push(text);
      else if (level && !signal.aborted) log[level]({ from: 'postgres' }, text);
    });
    child.once('error', (error) => complaints.push(error.message));
    child.once('close', () => reject(new PostmasterFailure(complaints.join('; '))));
  });
}
