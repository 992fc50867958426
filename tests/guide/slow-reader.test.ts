import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { createWorld } from '#testing/world.ts';
import { readCommandBlocks } from '../operate/doc-commands.ts';

const NEXT = '--- next ---';

test('the quickstart works for a reader who pauses for 11 minutes before each step', async () => {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await createWorld());
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = world.app.server.address() as AddressInfo;
  const cwd = await mkdtemp(join(tmpdir(), 'parley-slow-reader-'));
  stack.defer(() => rm(cwd, { recursive: true, force: true }));
  const shell = spawn('bash', ['-euo', 'pipefail'], { cwd, stdio: 'pipe' });
  stack.defer(() => void shell.kill());
  const faults: string[] = [];
  shell.stderr.on('data', (text) => faults.push(String(text)));
  const output: string[] = [];
  const lines = createInterface(shell.stdout)[Symbol.asyncIterator]();
  const blocks = (await readCommandBlocks(['docs/guide/quickstart.md'])).filter(
    ({ commands }) => commands !== 'npm start\n',
  );
  for (const { commands, line } of blocks) {
    world.clock.advance({ minutes: 11 });
    shell.stdin.write(
      `${commands.replaceAll('http://localhost:3000', `http://127.0.0.1:${port}`)}\necho\necho '${NEXT}'\n`,
    );
    for (;;) {
      const { value, done } = await lines.next();
      assert.ok(!done, `line ${line}: ${[...output, ...faults].join('\n')}`);
      if (value === NEXT) break;
      output.push(value);
    }
  }
  assert.match(output.join('\n'), /"textMsg":"Hello","from":"usr_/);
  assert.match(output.at(-2) ?? '', /"msgId":"msg_/);
});
