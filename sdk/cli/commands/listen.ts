import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal } from '../../polling/polling.ts';
import { readStream } from '../../read-answer.ts';
import { readServerSentEvents } from '../../server-sent-events.ts';
import { type Access, findAccess, isHttp } from '../access.ts';
import { ACCESS_OPTIONS, type Command, type CommandTerminal } from '../command.ts';
import { pathInConfig, readJsonFile, writeJsonFile } from '../config-file.ts';
import { type Typed, UsageError } from '../kit.ts';

const ATTEMPT_MS = 10_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
/** The server sends something every 20 s. */
const SILENCE_MS = 60_000;
const REFUSED =
  ': the bot probably has another webhook secret, or parsed the body before it verified the signature';

interface Listener extends Pick<CommandTerminal, 'print' | 'report' | 'signal'> {
  access: Access;
  forwardTo: string;
  secret: string;
  /** Has the positions of listeners, and no secret. */
  cursorFile: string;
  /** The server and application. */
  cursorKey: string;
}

export const listenCommand: Command = {
  name: 'listen',
  options: {
    'forward-to': 'address of the local bot, such as http://localhost:4000/hook',
    secret: 'webhook secret to sign with (or PARLEY_WEBHOOK_SECRET, or "parley login")',
    state: 'file that stores where it stopped',
    ...ACCESS_OPTIONS,
  },
  about: 'forward events to a bot on this machine as they happen, signed like webhooks',
  async run(terminal, typed) {
    await listen(await prepare(terminal, typed));
    return { text: 'stopped', data: undefined };
  },
};

async function prepare(terminal: CommandTerminal, typed: Typed): Promise<Listener> {
  const forwardTo = typed.options['forward-to'] ?? '';
  if (!isHttp(forwardTo)) throw new UsageError('listen needs --forward-to with an http or https address');
  const access = await findAccess(terminal, typed);
  if (!access.secret) throw new UsageError('listen needs --secret or PARLEY_WEBHOOK_SECRET');
  const { appId } = await access.bot.getMe({ signal: terminal.signal });
  const { print, report, signal } = terminal;
  return {
    ...{ print, report, signal },
    access,
    forwardTo,
    secret: access.secret,
    cursorFile: typed.options['state'] ?? pathInConfig(terminal.environment, 'listen.json'),
    cursorKey: `${access.server} ${appId}`,
  };
}

/** Forwards events until aborted. An event counts as forwarded once the bot has responded, with any status. */
async function listen(listener: Listener): Promise<void> {
  const { access, forwardTo, cursorFile, cursorKey, print, signal } = listener;
  let { [cursorKey]: cursor } = await readCursors(cursorFile);
  print(`listening at ${access.server}, forwarding to ${forwardTo}`);
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      for await (const event of readServerSentEvents(await openStream(access, cursor, signal), SILENCE_MS)) {
        failures = 0;
        if (event.data !== undefined) await forward(listener, event.type, event.data);
        if (signal.aborted) return;
        if (event.id === undefined) continue;
        cursor = event.id;
        await writeJsonFile(cursorFile, { ...(await readCursors(cursorFile)), [cursorKey]: cursor });
      }
    } catch (error) {
      if (signal.aborted) return;
      // Retrying helps neither a wrong key nor a cursor from before a restore.
      if (isFinal(error)) throw error;
      if (failures === 0) print(`Parley cannot be reached (${reasonOf(error)}); trying again`);
    }
    await pause(failures, signal);
  }
}

function readCursors(path: string): Promise<Record<string, string | undefined>> {
  return readJsonFile<Record<string, string>>(path, 'listen from now on');
}

async function openStream(
  { server, key }: Access,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const headers = {
    accept: 'text/event-stream',
    authorization: `Bearer ${key}`,
    ...(cursor !== undefined && { 'last-event-id': cursor }),
  };
  const response = await fetch(`${server}/v1/events`, { headers, signal });
  return readStream(response);
}

async function forward(
  { forwardTo, secret, print, report, signal }: Listener,
  type: string,
  body: string,
): Promise<void> {
  const eventId = eventIdOf(body);
  for (let failures = 0; !signal.aborted; failures++) {
    const at = Date.now();
    try {
      const { status } = await post(
        forwardTo,
        signedHeaders({ secret, type, eventId, body, at }),
        body,
        signal,
      );
      const durationMs = Date.now() - at;
      const hint = status === 401 || status === 403 ? REFUSED : '';
      report(`${status} ${type} ${eventId} in ${durationMs} ms${hint}`, {
        status,
        type,
        eventId,
        durationMs,
      });
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (failures === 0) print(`the bot cannot be reached (${reasonOf(error)}); waiting for it`);
    }
    await pause(failures, signal);
  }
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<Response> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]);
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limit });
  await response.arrayBuffer();
  return response;
}

/** By which a receiver recognizes an event that arrives twice. */
function eventIdOf(body: string): string {
  const { data } = JSON.parse(body) as { data: { eventId?: string; msgId?: string; sentAt?: number } };
  return data.eventId ?? data.msgId ?? `ping_${data.sentAt}`;
}

async function pause(failures: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}

/** An event as its webhook would receive it. */
interface SignedEvent {
  secret: string;
  type: string;
  /** The same for every attempt. */
  eventId: string;
  body: string;
  /** Epoch milliseconds. */
  at: number;
}

/** The headers of a webhook, those of Standard Webhooks included. */
export function signedHeaders({ secret, type, eventId, body, at }: SignedEvent): Record<string, string> {
  const seconds = String(Math.floor(at / 1000));
  const v1 = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const standard = createHmac('sha256', key).update(`${eventId}.${seconds}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1',
    'x-service-event': type,
    'x-service-signature': `t=${seconds},v1=${v1}`,
    'webhook-id': eventId,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${standard}`,
  };
}
