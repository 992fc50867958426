import { setTimeout as sleep } from 'node:timers/promises';
import { readEventStream, type ServerSentEvent } from '#contract/event-stream.ts';
import { parseApiKey } from '#features/applications/index.ts';
import { signedHeaders } from '#features/webhooks/index.ts';
import type { Clock } from '#platform/clock.ts';
import { type ApiAccess, apiAccess } from './api.ts';
import { type Command, type CommandDeps, UsageError } from './command.ts';
import { CursorFile, defaultCursorPath } from './cursor-file.ts';

const ATTEMPT_MS = 10_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
/** The server says something every 20 s. */
const SILENCE_MS = 60_000;

/** Where events go, and what of the outside a listener needs. */
export interface ListenOptions {
  api: ApiAccess;
  forwardTo: string;
  secret: string;
  cursors: CursorFile;
  clock: Clock;
  print: (line: string) => void;
  signal: AbortSignal;
}

export const listenCommand = {
  name: 'listen',
  parameters: [],
  options: {
    'forward-to': 'address of the local bot, such as http://localhost:4000/hook',
    key: 'API key of the bot (or PARLEY_API_KEY)',
    secret: 'webhook secret to sign with (or PARLEY_WEBHOOK_SECRET)',
    server: 'address of Parley (or PARLEY_URL; http://localhost:3000)',
    state: 'file that stores where it stopped',
  },
  about: 'forward events to a bot on this machine as they happen, signed like webhooks',
  async run(deps, _args, options) {
    const secret = options['secret'] ?? deps.environment['PARLEY_WEBHOOK_SECRET'];
    if (!secret) throw new UsageError('listen needs --secret or PARLEY_WEBHOOK_SECRET');
    await listen({ ...fromOptions(deps, options), secret });
    return 'stopped';
  },
} satisfies Command;

function fromOptions(
  { environment, clock, print, signal }: CommandDeps,
  options: Record<string, string>,
): Omit<ListenOptions, 'secret'> {
  const forwardTo = options['forward-to'] ?? '';
  if (!/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? '')) {
    throw new UsageError('listen needs --forward-to with an http or https address');
  }
  const api = apiAccess(environment, options);
  const cursors = new CursorFile(options['state'] ?? defaultCursorPath(environment));
  return { api, forwardTo, cursors, clock, print, signal };
}

/** Forwards until it is told to stop. An event counts as forwarded once the bot has answered, whatever it said. */
export async function listen(options: ListenOptions): Promise<void> {
  const { api, cursors, print, signal } = options;
  const place = `${api.server} ${parseApiKey(api.key)?.appId ?? ''}`;
  let cursor = await cursors.read(place);
  print(`listening at ${api.server}, forwarding to ${options.forwardTo}`);
  let failures = 0;
  while (!signal.aborted) {
    try {
      const stream = await openStream(api, cursor, signal);
      failures = 0;
      for await (const event of readEventStream(stream, { silenceMs: SILENCE_MS })) {
        if (event.data !== undefined) await forward(options, event);
        if (signal.aborted) break;
        if (event.id === undefined) continue;
        cursor = event.id;
        await cursors.write(place, cursor);
      }
    } catch (error) {
      if (error instanceof UsageError) throw error;
      if (signal.aborted) break;
      if (failures === 0) print(`Parley cannot be reached (${reasonOf(error)}); trying again`);
    }
    await pause(failures++, signal);
  }
}

async function openStream(
  { server, key }: ApiAccess,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(`${server}/v1/events`, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${key}`,
      ...(cursor !== undefined && { 'last-event-id': cursor }),
    },
    signal,
  });
  if (response.ok && response.body) return response.body;
  const text = await response.text();
  const said = `Parley answered ${response.status}: ${text}`;
  // Trying again helps with neither a wrong key nor a cursor from before a restore.
  if (response.status < 500 && response.status !== 429) throw new UsageError(said);
  throw new Error(said);
}

async function forward(options: ListenOptions, { type, data = '' }: ServerSentEvent): Promise<void> {
  const { print, signal } = options;
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      const { status, ms } = await post(options, type, Buffer.from(data));
      print(`${status} ${type} ${msgIdOf(data)} in ${ms} ms`);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (failures === 0) print(`the bot cannot be reached (${reasonOf(error)}); waiting for it`);
    }
    await pause(failures, signal);
  }
}

async function post(
  { forwardTo, secret, clock, signal }: ListenOptions,
  type: string,
  body: Buffer,
): Promise<{ status: number; ms: number }> {
  const at = clock.now();
  const eventId = msgIdOf(body.toString());
  const headers = signedHeaders({ secrets: [secret], eventId, type, body, at, serviceName: undefined });
  const response = await fetch(forwardTo, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]),
  });
  await response.arrayBuffer();
  return { status: response.status, ms: clock.now() - at };
}

function msgIdOf(body: string): string {
  const { data } = JSON.parse(body) as { data: { msgId?: string; sentAt?: number } };
  return data.msgId ?? `ping_${data.sentAt}`;
}

async function pause(failures: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
  await sleep(ms, undefined, { signal }).catch(() => {});
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}
