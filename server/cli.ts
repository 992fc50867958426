import process from 'node:process';
import { keepCompiled } from './compiled.ts';

keepCompiled();
const { runCommandLine } = await import('./cli/command-line.ts');

const stopping = new AbortController();
let stoppedBy: NodeJS.Signals | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stoppedBy = signal;
    stopping.abort(new Error(`stopped by ${signal}`));
  });
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  print: console.log,
  printError: console.error,
  signal: stopping.signal,
});
// All is cleaned up: it ends as told, and does not wait for what cannot be cut off, such as a passphrase being hashed.
if (stoppedBy && process.exitCode !== 0) process.kill(process.pid, stoppedBy);
