/** One line that PostgreSQL wrote, and how much of our attention it deserves. */
export interface ServerMessage {
  text: string;
  level: 'warn' | 'error' | undefined;
}

const LINE = /^([a-z ]+): (WARNING|ERROR|LOG|FATAL|PANIC): +(.*)$/;
const LOG_WORTH_A_WARNING = /terminated by signal|was not properly shut down|^could not /;

/**
 * Reads a line of the server's log. What goes wrong for a client, its client hears, and details could hold a row's
 * content: of those nothing is passed on, nor of lines in another form.
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
