import childProcess, { type SpawnOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { straceInto } from './trace.ts';

/**
 * Preloaded into a server (`node --import`), it has strace record the calls of the embedded PostgreSQL into the folder CUTS_TRACE, and
 * switches off the setting CUTS_DEFECT.
 */
const { CUTS_TRACE: trace = '', CUTS_DEFECT: defect } = process.env;
const { spawn } = childProcess;
childProcess.spawn = ((command: string, args: string[], options: SpawnOptions) => {
  if (!args.includes('-D')) return spawn(command, args, options);
  const [strace, ...its] = straceInto(trace);
  // Beside PostgreSQL, not above it: the server signals its child.
  return spawn(strace, ['-D', ...its, command, ...args, ...(defect ? ['-c', `${defect}=off`] : [])], options);
}) as typeof spawn;
syncBuiltinESMExports();
