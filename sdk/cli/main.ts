#!/usr/bin/env node
import process from 'node:process';
import { runCommandLine } from './command-line.ts';
import { readLine } from './read-line.ts';

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
