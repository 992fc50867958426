import http, { type IncomingHttpHeaders } from 'node:http';
import { type Said, say, sayOfField } from '#contract/reasons.ts';
import { openSocket } from './connection.ts';
import { codeOf, nameFailure, type Phase, sayFailure } from './failure.ts';
import type { Guard } from './guard.ts';
import { type Target, targetOf } from './target.ts';
import { checkUrl } from './url.ts';

const MAX_HEADER_BYTES = 16 * 1024;

export interface RequestOptions {
  headers: Readonly<Record<string, string>>;
  /** The text of a POST; without it, the request is a GET. */
  body?: string | undefined;
  /** From the lookup to the last byte. */
  deadlineMs: number;
  /** A longer response is a failure. */
  maxBytes: number;
}

export interface SafeResponse {
  kind: 'response';
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * Makes a request with a small answer once, through the guard, without following redirects. Errors of the other side are
 * returned as a failure.
 */
export async function safeRequest(
  guard: Guard,
  url: string,
  options: RequestOptions,
): Promise<SafeResponse | { kind: 'failure'; said: Said }> {
  const checked = checkUrl(url, guard);
  if ('fault' in checked) return { kind: 'failure', said: sayOfField('URL', `url-${checked.fault}`) };
  const target = targetOf(checked.url);
  let phase: Phase = target.isLiteral ? 'connect' : 'dns';
  const signal = AbortSignal.timeout(options.deadlineMs);
  try {
    const answer = await exchange(guard, target, { ...options, signal, enter: (next) => (phase = next) });
    return answer ?? { kind: 'failure', said: sayOfField('answer', 'too-long', { limit: options.maxBytes }) };
  } catch (error) {
    if (signal.aborted) return { kind: 'failure', said: say(`timeout.${phase}`) };
    return { kind: 'failure', said: sayFailure(nameFailure(error, phase), codeOf(error)) };
  }
}

/** Undefined if the response is too long. */
async function exchange(
  guard: Guard,
  target: Target,
  given: RequestOptions & { signal: AbortSignal; enter: (phase: Phase) => void },
): Promise<SafeResponse | undefined> {
  const { headers, body, maxBytes, signal, enter } = given;
  const socket = openSocket(guard, target)
    .once('lookup', () => enter('connect'))
    .once('connect', () => enter(target.origin.startsWith('https:') ? 'tls' : 'firstByte'))
    .once('secureConnect', () => enter('firstByte'));
  try {
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http
        .request({
          method: body === undefined ? 'GET' : 'POST',
          createConnection: () => socket,
          path: target.path,
          headers: {
            ...headers,
            host: target.authority,
            ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
          },
          maxHeaderSize: MAX_HEADER_BYTES,
          signal,
        })
        .once('response', resolve)
        .once('error', reject)
        .end(body);
    });
    enter('body');
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of answer) {
      bytes += part.length;
      if (bytes > maxBytes) return undefined;
      parts.push(part);
    }
    return {
      kind: 'response',
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      body: Buffer.concat(parts),
    };
  } finally {
    socket.destroy();
  }
}
