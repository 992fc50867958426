/** One line of PostgreSQL's log, and its level in ours. */
export interface ServerMessage {
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
