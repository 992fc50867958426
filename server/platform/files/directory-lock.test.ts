import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { lockDirectory } from './directory-lock.ts';

test('a directory has one holder at a time, and others get an error with its name', async (t) => {
  const folder = await scratchFolder(t);
  {
    using _held = lockDirectory(folder);
    assert.throws(() => lockDirectory(folder), {
      message: `the data directory ${folder} is in use by another Parley (process ${process.pid})`,
    });
    assert.equal(await readFile(join(folder, 'parley.pid'), 'utf8'), `${process.pid}\n`);
  }
  using _heldAgain = lockDirectory(folder);
});

test('the lock of a killed process is released at once', async (t) => {
  const folder = await scratchFolder(t);
  const module = new URL('directory-lock.ts', import.meta.url).href;
  const holder = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { lockDirectory } from ${JSON.stringify(module)};
       globalThis.held = lockDirectory(${JSON.stringify(folder)});
       console.log('held');
       setInterval(() => {}, 1_000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(holder.stdout, 'data');
  assert.throws(() => lockDirectory(folder), {
    message: new RegExp(`\\(process ${holder.pid}\\)$`),
  });
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  using _held = lockDirectory(folder);
});
