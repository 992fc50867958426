import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { noHost, withCode } from './connection-errors.ts';
import type { Host, Route } from './failover/hosts.ts';

export interface Connected {
  client: Client;
  socket: Socket;
  host: Host;
}

export interface ConnectOptions {
  /** How long all hosts together may take; unlimited unless given. */
  timeoutMs?: number | undefined;
  signal: AbortSignal;
}

const TIMEOUT = 'CONNECT_TIMEOUT';
/** A busy host answers within this time. */
const LEAST_TIMEOUT_MS = 500;

/**
 * Connects to the first host that accepts the connection.
 *
 * @throws the host's error, or with several hosts the errors of all
 */
export async function connect(
  route: Route,
  config: ClientConfig,
  { timeoutMs, signal }: ConnectOptions,
): Promise<Connected> {
  const hosts = route.inOrder();
  const eachMs = timeoutMs && Math.max(timeoutMs / hosts.length, Math.min(timeoutMs, LEAST_TIMEOUT_MS));
  const failures: [Host, Error][] = [];
  for (const host of hosts) {
    try {
      const connected = await connectTo(host, config, {
        timeoutMs: eachMs,
        signal,
        route,
      });
      host.failure = undefined;
      return connected;
    } catch (error) {
      signal.throwIfAborted();
      // One that only takes long may be busy.
      if (!isTimeout(error)) host.failure = error as Error;
      failures.push([host, error as Error]);
    }
  }
  throw noHost(failures);
}

async function connectTo(
  host: Host,
  config: ClientConfig,
  { timeoutMs, signal, route }: ConnectOptions & { route: Route },
): Promise<Connected> {
  signal.throwIfAborted();
  const socket = new Socket();
  const client = new Client({ ...host.config, ...config, stream: () => socket });
  // If the connection breaks between two statements, the next one fails.
  client.on('error', () => {});
  if (!route.isProbe) host.hold(socket);
  const giveUp = () => void socket.destroy();
  signal.addEventListener('abort', giveUp, { once: true });
  const timeout =
    timeoutMs &&
    setTimeout(
      () => socket.destroy(withCode(TIMEOUT, 'the database did not take the connection')),
      timeoutMs,
    );
  try {
    await client.connect();
    // Within the timeout, too: a proxy accepts connections to a server that does not answer.
    if (route.mustTakeWrites) await refuseReadOnly(client);
    return { client, socket, host };
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timeout);
    signal.removeEventListener('abort', giveUp);
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === TIMEOUT;
}

async function refuseReadOnly(client: Client): Promise<void> {
  const { rows } = await client.query<{ isReadOnly: boolean }>(
    `select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  if (!rows[0]?.isReadOnly) return;
  throw withCode('25006', 'takes no writes');
}
