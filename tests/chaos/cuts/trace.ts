import { open, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** By which a program changes or flushes a file or a name. */
const CALLS = [
  'open,openat,lseek,write,writev,pwrite64,pwritev,pwritev2,truncate,ftruncate,fallocate,fsync,fdatasync',
  'rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir',
  'mmap,copy_file_range,sendfile,splice',
];
const LONGEST_TEXT = 2 ** 24;

export interface SystemCall {
  call: string;
  /** What it names; otherwise the files that its arguments have open. */
  paths: string[];
  /** What it writes. */
  data: Buffer;
  /** All its arguments without the quoted ones. */
  text: string;
  numbers: number[];
  result: number;
  /** Epoch milliseconds. */
  begunAt: number;
  returnedAt: number;
}

/** The command and options of strace, which the traced command follows. */
export function straceInto(directory: string): [string, ...string[]] {
  const format = ['-ttt', '-T', '-y', '-xx', '-s', String(LONGEST_TEXT), '-o', join(directory, 'calls')];
  return ['strace', '-ff', '--seccomp-bpf', ...format, '-e', `trace=${CALLS}`];
}

/** The calls that concern a directory, from the files that strace wrote, one for each thread, in the order in which they returned. */
export async function readTrace(traces: string, directory: string): Promise<SystemCall[]> {
  const calls: SystemCall[] = [];
  for (const name of await readdir(traces)) {
    // Of a long load, it may be longer than a string can be.
    await using file = await open(join(traces, name));
    for await (const line of file.readLines({ encoding: 'latin1' })) calls.push(...readCall(line, directory));
  }
  return calls.toSorted((one, other) => one.returnedAt - other.returnedAt);
}

function readCall(line: string, directory: string): SystemCall[] {
  const [, begun, call = '', all = '', result, seconds] =
    /^([\d.]+) (\w+)\((.*)\) += (\d+)(?:<.*>)? <([\d.]+)>$/.exec(line) ?? [];
  if (begun === undefined) return [];
  const text = all.replaceAll(/"[^"]*"/g, '');
  const open = [...text.matchAll(/<([^>]*)>(?!\(deleted\))/g)].map(([, hex = '']) => fromHex(hex).toString());
  const texts = [...all.matchAll(/"([^"]*)"/g)].map(([, hex = '']) => fromHex(hex));
  const isWrite = /write/.test(call);
  const named = isWrite ? [] : texts.map((name) => resolve(open[0] ?? directory, name.toString()));
  const paths = named.length > 0 ? named : open;
  if (!paths.some((path) => path.startsWith(directory))) return [];
  const [begunAt, lastedMs] = [Number(begun) * 1000, Number(seconds) * 1000];
  const data = Buffer.concat(isWrite ? texts : []);
  const numbers = text.split(', ').map(Number);
  return [
    { call, paths, data, text, numbers, result: Number(result), begunAt, returnedAt: begunAt + lastedMs },
  ];
}

function fromHex(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}
