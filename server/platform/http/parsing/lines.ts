import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { say } from '#contract/reasons.ts';
import { paced } from '../../concurrency/paced.ts';
import { ApiError } from '../../errors.ts';

/** The type of a body with a JSON value in each line. */
export const LINES_TYPE = 'application/x-ndjson';

const LONGEST_LINE = 32 * 1024;
const NEWLINE = 0x0a;

export function hasLines({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['content-type']?.startsWith(LINES_TYPE) ?? false;
}

/**
 * The lines of a body while it arrives: of those that have come since the one before was handled, the newest, and always the
 * last.
 *
 * @param stopped rejects when no more lines are wanted
 * @throws ApiError 413 for a line of more than 32 KiB
 */
export async function* newestLines(
  body: Readable,
  everyMs: number,
  stopped: Promise<never>,
): AsyncGenerator<Buffer, void> {
  const chunks: AsyncIterator<Buffer> = body.iterator({ destroyOnReturn: false });
  let rest = Buffer.alloc(0);
  for (;;) {
    const { done, value } = await Promise.race([chunks.next(), stopped]);
    const arrived = done ? rest : Buffer.concat([rest, value]);
    const end = done ? arrived.length : arrived.lastIndexOf(NEWLINE);
    rest = arrived.subarray(end + 1);
    const line = lastLine(arrived.subarray(0, Math.max(0, end)));
    if (Math.max(rest.length, line.length) > LONGEST_LINE)
      throw new ApiError(413, 'invalid-argument', say('http.too-large'));
    if (line.length > 0) yield line;
    if (done) return;
    if (line.length > 0) await Promise.race([pause(paced(everyMs), undefined, { ref: false }), stopped]);
  }
}

/** The last line that is not blank. */
function lastLine(text: Buffer): Buffer {
  let end = text.length;
  while (end > 0 && (text[end - 1] as number) <= 0x20) end--;
  return text.subarray(end === 0 ? 0 : text.lastIndexOf(NEWLINE, end - 1) + 1, end);
}
