import process from 'node:process';
import { keepCompiled } from './compiled.ts';
import { whenParentEnds } from './parent.ts';

keepCompiled();
const { runCommandLine } = await import('./cli/command-line.ts');

const stopping = new AbortController();
let stoppedBy: NodeJS.Signals | undefined;
const stop = (signal: NodeJS.Signals) => {
  stoppedBy ??= signal;
  stopping.abort(new Error(`stopped by ${signal}`));
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
if (process.env['npm_lifecycle_event'] !== undefined) whenParentEnds(() => stop('SIGTERM'));

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  print: console.log,
  printError: console.error,
  signal: stopping.signal,
});
// Everything is cleaned up: exits by the signal, without waiting for work that cannot be cancelled, such as hashing a
// passphrase.
if (stoppedBy && process.exitCode !== 0) process.kill(process.pid, stoppedBy);
