#!/usr/bin/env node
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { runCommandLine } from './command-line.ts';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
// `parley events | head` closes the pipe before everything is written.
process.stdout.on('error', () => process.exit(0));

void runCommandLine(process.argv.slice(2), {
  environment: process.env,
  print: (line) => void process.stdout.write(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
  ask: readLine,
  signal: stopping.signal,
}).then((exitCode) => {
  process.exitCode = exitCode;
});

/** Prompts on the terminal, without echo for secrets; without a terminal, reads a line of standard input. */
async function readLine(question: string, { isSecret = false } = {}): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isSecret ? silent : process.stderr;
  const reader = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY === true });
  try {
    // At the end of the input, the prompt would wait without keeping the process alive.
    const ended = once(reader, 'close').then(() => '');
    return (await Promise.race([reader.question(''), ended])).trim();
  } finally {
    reader.close();
    if (isSecret) process.stderr.write('\n');
  }
}
