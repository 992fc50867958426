import { ParleyError } from './error.ts';
import type { ErrorCode } from './wire.ts';

interface ErrorBody {
  code?: ErrorCode;
  message?: string;
  error?: string;
}

/** The error in a response, whoever sent it; undefined if it is none. */
export function findError({ status, ok, headers }: Response, text: string): ParleyError | undefined {
  const body = readJson(text);
  if (ok && body) return undefined;
  const retryAfter = headers.get('retry-after');
  return new ParleyError(body?.message ?? `the response was ${status} and did not come from Parley`, {
    status,
    code: body?.code ?? 'INTERNAL_ERROR',
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
    oauthError: body?.error,
  });
}

/** The stream of a response. @throws ParleyError for anything but a stream of events */
export async function readStream(response: Response): Promise<ReadableStream<Uint8Array>> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (response.body && isStream) return response.body;
  throw findError(response, await response.text());
}

/** A proxy in between may respond with anything. */
function readJson(text: string): ErrorBody | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the service itself refused a call with 4xx, and not a proxy on its way, whose answers have no code. */
export function isFromService({ code }: ParleyError): boolean {
  return code !== 'INTERNAL_ERROR';
}

/** Undefined for the answer that something does not exist, or no longer. @throws any other error */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof ParleyError && error.status === 404)) throw error;
}
