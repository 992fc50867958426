import { setTimeout as pause } from 'node:timers/promises';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: object;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the load reads the fields it expects
  body: any;
}

/** Resolves to nothing if it is unknown whether the request took effect: no answer, or a 5xx. */
export type Transport = (request: Request) => Promise<Answer | undefined>;

const LONGEST_MS = 40_000;
const AFTER_FAILURE_MS = 200;

export function createTransport(origin: () => string): Transport {
  return async ({ method, path, headers, body }) => {
    try {
      const answer = await fetch(origin() + path, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(LONGEST_MS),
      });
      const read = { status: answer.status, body: await answer.json() };
      if (answer.status < 500) return read;
    } catch {}
    await pause(AFTER_FAILURE_MS);
    return undefined;
  };
}
