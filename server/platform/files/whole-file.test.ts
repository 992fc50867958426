import assert from 'node:assert/strict';
import { link, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { createWhole, makeDirectory } from './whole-file.ts';

test('a new file is created once, and an existing one stays as it is', async (t) => {
  const directory = await scratchFolder(t);
  const path = join(directory, 'keys');
  await createWhole(path, 'first');
  await assert.rejects(createWhole(path, 'second'), { code: 'EEXIST' });
  assert.equal(await readFile(path, 'utf8'), 'first');
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(directory), ['keys']);
});

test('what a killed process of the same id has left does not change a file', async (t) => {
  const directory = await scratchFolder(t);
  const [kept, path] = [join(directory, 'kept'), join(directory, 'keys')];
  await writeFile(kept, 'kept');
  await link(kept, `${path}.${process.pid}.part`);
  await createWhole(path, 'new');
  assert.equal(await readFile(kept, 'utf8'), 'kept');
  assert.equal(await readFile(path, 'utf8'), 'new');
});

test('missing directories are made for their owner only, and existing ones stay as they are', async (t) => {
  const directory = join(await scratchFolder(t), 'one', 'two');
  await makeDirectory(directory);
  await makeDirectory(directory);
  assert.equal((await stat(directory)).mode & 0o777, 0o700);
});

test('a directory that cannot be made is refused', { skip: process.platform !== 'linux' }, async (t) => {
  const path = join(await scratchFolder(t), 'file');
  await writeFile(path, '');
  await assert.rejects(makeDirectory(path), { code: 'EEXIST' });
  await assert.rejects(makeDirectory(join(path, 'below')), { code: 'ENOTDIR' });
  await assert.rejects(makeDirectory('/proc/parley/data'), { code: 'ENOENT' });
});
