import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ServerProcess, toServerProcess } from '../tests/processes.ts';

const CONTROL_SCRIPT = '/usr/sbin/ejabberdctl';
const STARTS_WITHIN_MS = 30_000;

export interface Ejabberd extends ServerProcess {
  /** Calls a command of its HTTP API. */
  call(command: string, input: object): Promise<void>;
}

/**
 * ejabberd in a directory of its own, with its HTTP API open to everybody on loopback, storing messages for people who are
 * offline in Mnesia, its default. Erlang distribution is off, so that no port mapper is left running.
 */
export async function startEjabberd(): Promise<Ejabberd> {
  const libraries = await findLibraries();
  const directory = await mkdtemp(join(tmpdir(), 'parley-ejabberd-'));
  const port = await freePort();
  const spool = join(directory, 'spool');
  await mkdir(spool);
  const config = join(directory, 'ejabberd.yml');
  await writeFile(config, configuration(port));
  const options = ['+K', 'true', '+P', '250000', '-noinput', '-mnesia', 'dir', JSON.stringify(spool)];
  const child = spawn('erl', [...options, '-s', 'ejabberd'], {
    cwd: directory,
    env: {
      ...process.env,
      HOME: directory,
      ERL_LIBS: libraries,
      EJABBERD_CONFIG_PATH: config,
      EJABBERD_LOG_PATH: join(directory, 'ejabberd.log'),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'spawn');
  const url = `http://127.0.0.1:${port}`;
  const server = toServerProcess(child, url, () => '');
  const stop = async () => {
    await server[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await answering(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...server,
    async call(command, input) {
      const answer = await fetch(`${url}/api/${command}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input),
      });
      if (!answer.ok) throw new Error(`${command} answered ${answer.status}: ${await answer.text()}`);
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** Bots write to offline people; the number of messages waiting for one of them is unlimited here. */
function configuration(port: number): string {
  return `
loglevel: warning
hosts: [localhost]
listen:
  - port: ${port}
    ip: "127.0.0.1"
    module: ejabberd_http
    request_handlers:
      /api: mod_http_api
acl:
  here:
    ip: [127.0.0.0/8]
api_permissions:
  bench:
    from: [mod_http_api]
    who:
      access:
        allow: [acl: here]
    what: [register, send_message, status]
shaper_rules:
  max_user_offline_messages: infinity
modules:
  mod_admin_extra: {}
  mod_http_api: {}
  mod_offline: {}
`;
}

async function findLibraries(): Promise<string> {
  const script = await readFile(CONTROL_SCRIPT, 'utf8').catch(() => '');
  const libraries = /^ERL_LIBS='([^']+)'/m.exec(script)?.[1];
  if (libraries === undefined) {
    throw new Error('ejabberd is missing: apt-get install ejabberd (its service does not have to run)');
  }
  return libraries;
}

async function answering(url: string): Promise<void> {
  const until = Date.now() + STARTS_WITHIN_MS;
  while (Date.now() < until) {
    const answer = await fetch(`${url}/api/status`, { method: 'POST', body: '{}' }).catch(() => undefined);
    if (answer?.ok) return;
    await pause(100);
  }
  throw new Error('ejabberd does not answer');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
