import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Pick<
  Logger,
  'level' | 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent' | 'child'
>;

/** Fields that can hold a secret or a person's words never reach the log, whatever an error drags along. */
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

/** @param destination instead of the standard output */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: { paths: REDACTED, remove: true },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return destination ? pino(options, destination) : pino(options);
}
