import { Writable } from 'node:stream';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config.ts';

export type Log = Pick<
  Logger,
  'level' | 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent' | 'child'
>;

/**
 * Fields that can contain a secret or a person's text never reach the log, whatever properties an error has.
 */
const REDACTED = [
  'req.headers.authorization',
  'req.headers.cookie',
  'headers.authorization',
  'headers.cookie',
  'err.query',
  'err.parameters',
  'err.args',
  'err.detail',
  'err.where',
];

/** Lines that wait for room on a full disk, or for a slow reader. */
const MOST_WAITING_BYTES = 2 ** 24;

/** @param destination default: standard output */
export function createLog(level: string, destination: DestinationStream = openOutput(false)): Logger {
  const options = {
    level,
    base: null,
    redact: { paths: REDACTED, remove: true },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return pino(options, destination);
}

/** Standard output. Lines that do not fit on a full disk wait, and are dropped if they become too many. */
function openOutput(isSync: boolean) {
  const output = pino.destination({ sync: isSync, maxLength: MOST_WAITING_BYTES });
  output.on('error', () => {
    // At the end of the process it would try to write them for ever.
    output.flushSync = () => undefined;
  });
  return output;
}

/** Logs to standard output in the given format; by default in a readable format if it is a terminal. */
export async function openLog({
  logLevel,
  logFormat,
}: Pick<Config, 'logLevel' | 'logFormat'>): Promise<Logger> {
  const { isTTY } = process.stdout;
  if ((logFormat ?? (isTTY ? 'pretty' : 'json')) === 'json') return createLog(logLevel);
  // Loaded only if needed.
  const { PinoPretty } = await import('pino-pretty');
  const colorize = isTTY && process.stdout.hasColors();
  // Synchronous, so that the last lines before an exit are not lost.
  const output = openOutput(true);
  const destination = new Writable({ write: (line, _, done) => done(void output.write(line)) });
  return createLog(
    logLevel,
    PinoPretty({ colorize, translateTime: 'SYS:HH:MM:ss', singleLine: true, destination }),
  );
}
