import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type ServerProcess, toServerProcess } from '../tests/processes.ts';

/** The bare Fastify echo that every figure is compared with. */
export async function startEcho(): Promise<ServerProcess> {
  const child = fork(new URL('./echo-server.ts', import.meta.url));
  const [message] = (await once(child, 'message')) as [{ url: string }];
  return toServerProcess(child, message.url, () => '');
}
