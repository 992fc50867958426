import { type Logger, pino } from 'pino';

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

export function createLog(level: string): Logger {
  return pino({
    level,
    base: null,
    redact: { paths: REDACTED, remove: true },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}
