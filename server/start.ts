import cluster from 'node:cluster';
import { existsSync, readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { type Config, type ConfigError, readConfig } from '#platform/config.ts';
import { MasterKeyError } from '#platform/crypto/master-keys.ts';
import { isRefusedOrAway } from '#platform/database.ts';
import { openLog } from '#platform/log.ts';
import { whenParentEnds } from './parent.ts';
import { type ReadyMessage, startProcesses } from './processes/supervisor.ts';
import { startServer } from './server.ts';

// By default V8 lets the heap grow to four times the live data before it collects the old generation, and keeps the pages.
setFlagsFromString('--heap-growing-percent=100');
// Few objects outlive a request; V8 would allocate objects from sites that once survived in the old generation, where they
// retain what they refer to.
setFlagsFromString('--no-allocation-site-pretenuring');
// On a few busy cores, the main thread would wait for scavenger threads that are not scheduled.
setFlagsFromString('--no-parallel-scavenge');

const config = readConfigOrExit();
const log = await openLog(config);
/** Whatever it waits for, a supervisor would kill it some time later. */
const LONGEST_STOP_MS = 28_000;
const INSUFFICIENT_PRIVILEGE = '42501';
const LIMITS_FILE = '/proc/self/limits';
/** Each client has a connection. */
const FEW_FILES = 1_024;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
if (config.isStartedByNpm) whenParentEnds(stop);

try {
  const isSupervisor = config.processes > 1 && cluster.isPrimary;
  await using server = await (isSupervisor ? startProcesses : startServer)(config, log, {
    signal: stopping.signal,
  });
  if (cluster.isWorker) process.send?.({ parley: 'ready', url: server.url } satisfies ReadyMessage);
  else announce(server.url);
  flushCompileCache();
  const { signal } = stopping;
  const stopped = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined));
  });
  const loss = await Promise.race([stopped, ...(server.lost ? [server.lost] : [])]);
  if (loss) {
    log.fatal(loss.message);
    process.exitCode = 1;
  } else log.info('stopping: requests and deliveries under way are finished first');
} catch (error) {
  if (!stopping.signal.aborted) exitWith(explain(error));
  log.info('stopped before it had started');
}
// The IPC channel to the supervisor would keep the process alive.
process.disconnect?.();

function stop(): void {
  stopping.abort();
  setTimeout(() => {
    log.fatal('stopped before all requests and deliveries under way were finished');
    process.exit(1);
  }, LONGEST_STOP_MS).unref();
}

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    return exitWith((error as ConfigError).message);
  }
}

/** How many files and connections this process may have open; unknown elsewhere than on Linux. */
function findFileLimit(): number {
  const limits = existsSync(LIMITS_FILE) ? readFileSync(LIMITS_FILE, 'utf8') : '';
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
}

function announce(url: string | undefined): void {
  const { databaseUrl, dataDir, processes, publicUrl, webhookTrustedHosts } = config;
  if (webhookTrustedHosts.length > 0) {
    log.warn(
      `WEBHOOK_TRUSTED_HOSTS lets webhooks reach ${webhookTrustedHosts.join(', ')} unguarded: for development only`,
    );
  }
  const files = findFileLimit();
  if (files < FEW_FILES)
    log.warn(
      `at most ${files} files may be open: further connections are refused without a line here; raise LimitNOFILE, or "ulimit -n"`,
    );
  const site = url && (publicUrl ?? url);
  // Whoever asks for JSON reads standard output by a program.
  const print = config.logFormat === 'json' ? console.error : console.log;
  print(
    [
      '',
      url ? `  Parley is ready at ${url}` : '  Parley is ready (worker only)',
      '',
      ...(site
        ? [`  Chat       ${site}/`, `  Console    ${site}/console`, `  Docs       ${site}/docs`, '']
        : []),
      ...(processes > 1 ? [`  Processes  ${processes}`] : []),
      `  Database   ${databaseUrl ? 'the one of DATABASE_URL' : `embedded PostgreSQL, data and keys in ${dataDir}`}`,
      ...(url ? [`  API        ${url}/v1`] : []),
      ...(url && publicUrl === undefined
        ? [
            '  Links      reach this machine only; for others, such as those to uploads in events, set PUBLIC_URL',
          ]
        : []),
      '  Stop       Ctrl-C',
      '',
    ].join('\n'),
  );
}

/** One line with the reason; a stack only for unexpected errors. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof MasterKeyError) return error.message;
  if (config.databaseUrl !== undefined && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE)
    return `${error.message}: the role of DATABASE_URL needs the right to create in the schema public`;
  const { code, path, syscall, port, hostname } = error as NodeJS.ErrnoException & {
    port?: number;
    hostname?: string;
  };
  const isOfDatabase = path === undefined && hostname !== config.host && isRefusedOrAway(error);
  if (config.databaseUrl !== undefined && isOfDatabase)
    return `the database of DATABASE_URL cannot be used: ${error.message}`;
  if (code === 'EADDRINUSE') {
    const setting = port === config.metricsPort ? 'METRICS_PORT' : 'PORT';
    return `port ${port} on ${config.host} is taken: stop what uses it or set ${setting}`;
  }
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && syscall === 'getaddrinfo'))
    return `HOST is ${config.host}, which is no address of this machine`;
  const isData = path !== undefined && resolve(path).startsWith(resolve(config.dataDir));
  if (isData && code === 'EROFS')
    return `${path} is on a read-only file system: make it writable, or set DATA_DIR to another directory`;
  if (isData && code === 'EACCES')
    return `${path} may not be written by this user: chown DATA_DIR to the user who runs Parley, or set another`;
  if (syscall === 'mkdir') return `a folder of DATA_DIR cannot be made: ${error.message}`;
  if (code === 'EACCES' && !path)
    return `port ${config.port} may not be opened by this user: set PORT to 1024 or above`;
  return error.message;
}

function exitWith(message: string): never {
  console.error(`parley: ${message}`);
  process.exit(1);
}
