import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Disk, restore } from './disk.ts';
import { FLOWS } from './flows.ts';
import { readTrace, straceInto } from './trace.ts';

/**
 * Power cuts below fsync: the system calls of each flow, as strace records them, are carried out one after another on a model of a
 * disk. After each, the flow's reader gets what the worst power cut leaves. It must find the old state or the new one, whole, and the
 * new one once the flow has returned.
 */
const run = promisify(execFile);
const scratch = await mkdtemp(join(tmpdir(), 'parley-cuts-'));
const faults: string[] = [];
try {
  for (const name of Object.keys(FLOWS)) await cut(name);
} finally {
  await rm(scratch, { recursive: true, force: true });
}
if (faults.length > 0) throw new Error(faults.join('\n'));

async function cut(name: string): Promise<void> {
  const { prepare, state } = FLOWS[name] as (typeof FLOWS)[string];
  const [directory, trace, left] = ['flow', 'trace', 'left'].map((part) => join(scratch, name, part)) as [
    string,
    string,
    string,
  ];
  await mkdir(directory, { recursive: true });
  await mkdir(trace);
  await prepare?.(directory);
  const disk = await Disk.of(directory);
  const flow = [process.execPath, join(import.meta.dirname, 'flows.ts'), name, directory];
  const [strace, ...options] = straceInto(trace);
  await run(strace, [...options, ...flow]);
  let [points, states, isReturned] = [0, 0, false];
  for (const call of await readTrace(trace, directory)) {
    isReturned ||= call.call.startsWith('mkdir') && call.paths[0] === `${directory}.changed`;
    if (!disk.apply(call) && !isReturned) continue;
    points++;
    for (const remains of disk.extremes()) {
      states++;
      await restore(remains, directory, left);
      const found = await state(left).catch((error: Error) => error.message);
      if (found !== 'new' && (found !== 'old' || isReturned))
        faults.push(
          `${name}: after ${call.call}, ${isReturned ? 'the last one' : `call ${points}`}: ${found}`,
        );
      await rm(left, { recursive: true });
    }
    if (isReturned) break;
  }
  if (!isReturned) throw new Error(`${name} did not return`);
  console.log(`${name}: ${points} cut points, ${states} states`);
}
