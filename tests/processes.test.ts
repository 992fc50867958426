import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { firstLine, killProcesses } from './processes.ts';

const IGNORES = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000);`;
const STARTS = `
  const started = ${JSON.stringify(`${IGNORES} console.log('started');`)};
  require('node:child_process').spawn(process.execPath, ['-e', started], { stdio: 'inherit' });
  ${IGNORES}`;

test('the processes of a job end together, even those that ignore a signal to end, and no others', async () => {
  const start = (job: string) =>
    spawn(process.execPath, ['-e', STARTS], {
      env: { ...process.env, JOB: job },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const names = ['hung', 'other'].map((name) => `${process.pid}-${name}`) as [string, string];
  const [hung, other] = names.map(start) as [ReturnType<typeof start>, ReturnType<typeof start>];
  try {
    await Promise.all([firstLine(hung), firstLine(other)]);
    // Its output is closed once both its processes have ended.
    const ended = once(hung, 'close');
    killProcesses(`JOB=${names[0]}`);
    assert.deepEqual(await ended, [null, 'SIGKILL']);
    assert.equal(other.exitCode ?? other.signalCode, null);
  } finally {
    const ended = once(other, 'close');
    killProcesses(`JOB=${names[1]}`);
    await ended;
  }
});
