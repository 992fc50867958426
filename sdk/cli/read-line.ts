import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks on the terminal; what is typed is not shown when it is secret. Reads a line of the input where there is no terminal. */
export async function readLine(question: string, { isSecret = false } = {}): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isSecret ? silent : process.stderr;
  const reader = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY === true });
  try {
    // An input that ends answers nothing; the question alone would wait without keeping the process alive.
    const ended = once(reader, 'close').then(() => '');
    return (await Promise.race([reader.question(''), ended])).trim();
  } finally {
    reader.close();
    if (isSecret) process.stderr.write('\n');
  }
}
