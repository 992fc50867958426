import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

/** A server in a process of its own. */
export interface ServerProcess extends AsyncDisposable {
  url: string;
  residentMegabytes(): Promise<number>;
  /** Ends the process as a power cut would. */
  kill(): Promise<void>;
}

/** Parley as `npm start` runs it, ready to answer. */
export async function startParley(environment: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    const url = /ready at (\S+)/.exec(printed)?.[1];
    if (!url) continue;
    child.stdout.resume();
    return toServerProcess(child, url.replace('localhost', '127.0.0.1'));
  }
  throw new Error(`the server did not start: ${printed}`);
}

export function toServerProcess(child: ChildProcess, url: string): ServerProcess {
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    url,
    async residentMegabytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}
