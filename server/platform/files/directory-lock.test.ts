import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockDirectory } from './directory-lock.ts';

async function scratch(): Promise<AsyncDisposable & { directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-lock-'));
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
}

test('a directory has one holder at a time, and others get an error with its name', async () => {
  await using folder = await scratch();
  {
    using _held = lockDirectory(folder.directory);
    assert.throws(() => lockDirectory(folder.directory), {
      message: `the data directory ${folder.directory} is in use by another Parley (process ${process.pid})`,
    });
    assert.equal(await readFile(join(folder.directory, 'parley.pid'), 'utf8'), `${process.pid}\n`);
  }
  using _heldAgain = lockDirectory(folder.directory);
});

test('the lock of a killed process is released at once', async () => {
  await using folder = await scratch();
  const module = new URL('directory-lock.ts', import.meta.url).href;
  const holder = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { lockDirectory } from ${JSON.stringify(module)};
       globalThis.held = lockDirectory(${JSON.stringify(folder.directory)});
       console.log('held');
       setInterval(() => {}, 1_000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(holder.stdout, 'data');
  assert.throws(() => lockDirectory(folder.directory), {
    message: new RegExp(`\\(process ${holder.pid}\\)$`),
  });
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  using _held = lockDirectory(folder.directory);
});
