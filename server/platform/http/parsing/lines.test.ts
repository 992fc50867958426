import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { newestLines } from './lines.ts';

const forever = new Promise<never>(() => undefined);

/** The lines of a text that arrives in these pieces, each before the line before it is handled. */
async function linesOf(pieces: readonly string[]): Promise<string[]> {
  const body = new PassThrough();
  const lines: string[] = [];
  const left = [...pieces];
  body.write(left.shift() ?? '');
  if (left.length === 0) body.end();
  for await (const line of newestLines(body, 0, forever)) {
    lines.push(line.toString());
    if (left.length > 0) body.write(left.shift());
    if (left.length === 0) body.end();
  }
  return lines;
}

test('of the lines that arrive meanwhile the newest counts, and the last one always does', async () => {
  assert.deepEqual(await linesOf(['1\n', '2\n3\n4\n', '5\n6']), ['1', '4', '5', '6']);
  assert.deepEqual(await linesOf(['1\n2\n', '3']), ['2', '3'], 'a last line needs no end');
  assert.deepEqual(await linesOf(['1\r\n \n\n', '2\n']), ['1', '2'], 'blank lines are none');
  assert.deepEqual(await linesOf(['']), []);
});

test('a line may be divided anywhere', async () => {
  const body = new PassThrough({ highWaterMark: 1 });
  const reading = newestLines(body, 0, forever);
  const first = reading.next();
  for (const byte of Buffer.from('"é"\n')) body.write(Buffer.from([byte]));
  assert.equal(String((await first).value), '"é"');
  body.end('"ü');
  assert.equal(String((await reading.next()).value), '"ü');
  assert.equal((await reading.next()).done, true);
});

test('a line has at most 32 KiB, whether it has ended or not', async () => {
  const longest = 'x'.repeat(32 * 1024);
  assert.deepEqual(await linesOf([`${longest}\n`]), [longest]);
  for (const text of [`${longest}x\n`, `1\n${longest}x`])
    await assert.rejects(linesOf([text]), { status: 413 });
});

test('reading stops when no more lines are wanted, also while it waits for the next one', async () => {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const body = new PassThrough();
  const reading = newestLines(body, 60_000, stopped);
  body.write('1\n');
  await reading.next();
  const next = reading.next();
  reject(new Error('enough'));
  await assert.rejects(next, /enough/);
  assert.equal(body.destroyed, false, 'the answer goes over the same connection');
});
