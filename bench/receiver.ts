import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** The URL of a receiver, and the authority of its certificate. */
export interface ReceiverAddress {
  url: string;
  ca: string;
}

/** The receiver of `webhook-receiver.ts`, which reports by messages; the first is its {@link ReceiverAddress}. */
export function startReceiver(protocol: 'tls' | 'plain'): Disposable & { child: ChildProcess } {
  const child = fork(new URL('./webhook-receiver.ts', import.meta.url), [protocol]);
  return { child, [Symbol.dispose]: () => void child.kill() };
}

export async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, 'message');
  return message as T;
}
