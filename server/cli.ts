import process from 'node:process';
import { keepCompiled } from './compiled.ts';

keepCompiled();
const { runCommandLine } = await import('./cli/command-line.ts');

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stopping.abort(new Error(`stopped by ${signal}`)));

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  print: console.log,
  printError: console.error,
  signal: stopping.signal,
});
