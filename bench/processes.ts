import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

/** A server under load, in a process of its own. */
export interface Subject extends AsyncDisposable {
  url: string;
  residentMegabytes(): Promise<number>;
}

/** The bare Fastify echo that every figure is shown beside. */
export async function startEcho(): Promise<Subject> {
  const child = spawn(process.execPath, ['bench/echo-server.ts'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [message] = (await once(child, 'message')) as [{ url: string }];
  return toSubject(child, message.url);
}

/** Parley itself as `npm start` runs it, on the given database. */
export async function startParley(environment: Record<string, string>): Promise<Subject> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    const url = /ready at (\S+)/.exec(printed)?.[1];
    if (!url) continue;
    child.stdout.resume();
    return toSubject(child, url.replace('localhost', '127.0.0.1'));
  }
  throw new Error(`the server did not start: ${printed}`);
}

function toSubject(child: ChildProcess, url: string): Subject {
  return {
    url,
    async residentMegabytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
