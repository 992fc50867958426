import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** A server in a process of its own. */
export interface ServerProcess extends AsyncDisposable {
  /** Empty for one that only works in the background. */
  url: string;
  residentMegabytes(): Promise<number>;
  /** All that it has printed, its log included. */
  printed(): string;
  /** Ends the process as a power cut would. */
  kill(): Promise<void>;
}

/** Parley as `npm start` runs it, ready to answer. */
export async function startParley(environment: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  for (const output of [child.stdout, child.stderr]) {
    createInterface(output).on('line', (line) => {
      lines.push(line);
      const ready = /is ready(?: at (\S+))?/.exec(line);
      if (ready) resolve((ready[1] ?? '').replace('localhost', '127.0.0.1'));
    });
  }
  child.once('exit', () => reject(new Error(`the server ended:\n${lines.join('\n')}`)));
  return toServerProcess(child, await ready, () => lines.join('\n'));
}

export function toServerProcess(child: ChildProcess, url: string, printed: () => string): ServerProcess {
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    url,
    printed,
    async residentMegabytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}
