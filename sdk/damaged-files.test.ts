import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratchFolder } from '../server/testing/scratch-folder.ts';
import { FileCursor, FileSessionStore, FileTokenStore } from './node/index.ts';

const DAMAGED = ['', '{"count":', '\0\0\0\0', 'undefined'];

test('a damaged session or token is reported with the name of its file, which works again once it is removed', async (t) => {
  const directory = await scratchFolder(t);
  const sessions = new FileSessionStore<object>({ directory: join(directory, 'sessions') });
  const tokens = new FileTokenStore({ directory: join(directory, 'tokens') });
  await sessions.write('usr_ada', { count: 1 });
  await tokens.update('ada', async () => ({ accessToken: 'xat_1' }) as never);
  for (const [name, read] of [
    ['sessions', () => sessions.read('usr_ada')],
    ['tokens', () => tokens.update('ada', async (current) => current)],
  ] as const) {
    const file = join(directory, name, String(readdirSync(join(directory, name))[0]));
    for (const damaged of DAMAGED) {
      writeFileSync(file, damaged);
      await assert.rejects(read(), { message: `${file} is damaged: restore or remove it` });
    }
    rmSync(file);
    assert.equal(await read(), undefined);
  }
});

test('a damaged or unreadable cursor is reported instead of starting elsewhere', async (t) => {
  const file = join(await scratchFolder(t), 'cursor');
  const cursor = new FileCursor(file);
  assert.equal(await cursor.read(), undefined);
  await cursor.write('1041 !1039');
  assert.equal(await cursor.read(), '1041 !1039');
  for (const damaged of ['\0\0\0\0', '1041 !', 'null']) {
    writeFileSync(file, damaged);
    const message = `${file} is damaged: remove it to continue after the last acknowledged event`;
    await assert.rejects(cursor.read(), { message });
  }
  rmSync(file);
  mkdirSync(file);
  await assert.rejects(cursor.read(), { code: 'EISDIR' });
  rmdirSync(file);
  assert.equal(await cursor.read(), undefined);
});
