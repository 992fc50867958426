import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTestPlatform } from '#testing/platform.ts';

const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''));
const awkward = fc.constantFrom('', 'NULL', 'null', '"', '\\', '{}', '{a,b}', ',', '\n', ' x ', '\\"', "'");

test('arrays are read back from the database as they were written', async () => {
  await using platform = await createTestPlatform();
  const { db } = platform;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.oneof(text, awkward))),
      fc.array(fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))),
      fc.array(fc.option(fc.maxSafeInteger())),
      async (texts, integers, bigints) => {
        const [row] = await db`
          select ${texts}::text[] as texts, ${integers}::integer[] as integers, ${bigints}::bigint[] as bigints`;
        assert.deepEqual({ ...row }, { texts, integers, bigints });
      },
    ),
    { numRuns: 200 },
  );
});

test('arrays of bytes reach the database unchanged', async () => {
  await using platform = await createTestPlatform();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 })), async (elements) => {
      const rows = await platform.db`select element from unnest(${elements}::bytea[]) as element`;
      assert.deepEqual(
        rows.map((row) => new Uint8Array(row['element'] as Buffer)),
        elements,
      );
    }),
    { numRuns: 50 },
  );
});

test('the database reads the same elements', async () => {
  await using platform = await createTestPlatform();
  const texts = ['a"b\\c', 'NULL', null, '', '{x,y}'];
  const rows = await platform.db`select element from unnest(${texts}::text[]) as element`;
  assert.deepEqual(
    rows.map((row) => row['element']),
    texts,
  );
});
