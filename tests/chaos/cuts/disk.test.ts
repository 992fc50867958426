import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createChance } from '../../chance.ts';
import { Disk, FLUSHED, TornCut } from './disk.ts';
import type { SystemCall } from './trace.ts';

const root = await mkdtemp(join(tmpdir(), 'parley-disk-'));
after(() => rm(root, { recursive: true }));
await writeFile(join(root, 'table'), Buffer.alloc(8192, 'a'));
const [table, segment] = [join(root, 'table'), join(root, 'segment')];

/** A call that lasts from one moment to another; all arguments of which the model reads only some. */
function call(
  name: string,
  paths: string[],
  [begunAt, returnedAt]: [number, number],
  more: Partial<SystemCall> = {},
) {
  const { data = Buffer.alloc(0) } = more;
  return {
    call: name,
    paths,
    data,
    text: 'O_RDWR',
    numbers: [0],
    result: data.length,
    begunAt,
    returnedAt,
    ...more,
  };
}

const written = (path: string, text: string, at: [number, number]) =>
  call('pwrite64', [path], at, { data: Buffer.from(text) });

test('a content is safe once a flush that began after its write has ended', async () => {
  const disk = await Disk.of(root);
  const left = () => String(disk.after(FLUSHED).get(table)).slice(0, 2);
  disk.apply(written(table, 'b', [1, 2]));
  assert.equal(left(), 'aa');
  disk.apply(written(table, 'bc', [3, 5]));
  disk.apply(call('fdatasync', [table], [4, 6]));
  assert.equal(left(), 'ba');
  disk.apply(call('fdatasync', [table], [7, 8]));
  assert.equal(left(), 'bc');
});

test('a name is safe once its directory was flushed', async () => {
  const disk = await Disk.of(root);
  const left = () => [...disk.after(FLUSHED).keys()].filter((path) => path !== root);
  disk.apply(call('openat', [segment], [1, 2]));
  disk.apply(call('fsync', [segment], [3, 4]));
  disk.apply(call('rename', [segment, `${segment}.1`], [5, 6]));
  disk.apply(call('unlink', [table], [7, 8]));
  assert.deepEqual(left(), [table]);
  disk.apply(call('fsync', [root], [9, 10]));
  assert.deepEqual(left(), [`${segment}.1`]);
});

test('a cut may leave any of the states of a sector since the last flush, and no other', async () => {
  const disk = await Disk.of(root);
  for (const [i, letter] of ['b', 'c'].entries())
    disk.apply(written(table, letter.repeat(8192), [2 * i, 2 * i + 1]));
  const cut = new TornCut(createChance(1));
  const found = new Set<string>();
  while (found.size < 3 || cut.tornPages === 0) {
    const page = String(disk.after(cut).get(table));
    for (const sector of page.match(/.{512}/g) ?? []) found.add(sector);
  }
  assert.deepEqual(
    [...found].sort(),
    ['a', 'b', 'c'].map((letter) => letter.repeat(512)),
  );
});

test('a file that was cut off may keep what it had, or lose it', async () => {
  const disk = await Disk.of(root);
  disk.apply(call('ftruncate', [table], [1, 2], { numbers: [4] }));
  disk.apply(call('fallocate', [table], [3, 4], { numbers: [4, 4] }));
  const [old, , , live] = disk.extremes().map((remains) => String(remains.get(table)));
  assert.equal(old, 'a'.repeat(8192));
  assert.equal(live, 'aaaa\0\0\0\0');
});

test('what the model does not know is refused', async () => {
  const disk = await Disk.of(root);
  const inMemory = call('mmap', [table], [1, 2], { text: 'NULL, 8192, PROT_READ|PROT_WRITE, MAP_SHARED' });
  assert.throws(() => disk.apply(inMemory), /not in the model: mmap/);
  assert.throws(
    () => disk.apply(call('openat', [table], [1, 2], { text: 'O_RDWR|O_DSYNC' })),
    /not in the model/,
  );
});
