import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Its content as programs see it, and as it was when it was last flushed. */
interface File {
  live: Buffer;
  flushed: Buffer;
}

type Entries = Map<string, File | 'directory'>;

/** What is on a disk after a power cut: the content of each file by its path, and directories. */
export type Remains = Map<string, Buffer | 'directory'>;

/**
 * A directory as POSIX promises it and no file system needs to exceed: a content is safe once its file was flushed, and a name once
 * its directory was.
 */
export class Disk {
  readonly root: string;
  readonly #names: Entries = new Map();
  readonly #flushedNames: Entries = new Map();
  readonly #open = new Map<number, { path: string; file: File | 'directory'; position: number }>();

  private constructor(root: string) {
    this.root = root;
  }

  /** All that is in a directory now counts as flushed. */
  static async of(root: string): Promise<Disk> {
    const disk = new Disk(root);
    disk.#names.set(root, 'directory');
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const content = entry.isFile() && (await readFile(path));
      disk.#names.set(path, content ? { live: content, flushed: content } : 'directory');
    }
    for (const [path, file] of disk.#names) disk.#flushedNames.set(path, file);
    return disk;
  }

  /** Carries out a system call; returns whether it changed anything here. */
  apply({ call, paths, text, numbers, result }: SystemCall): boolean {
    const [path = '', to = path] = paths;
    const opened = this.#open.get(numbers[0] ?? -1);
    if (call === 'openat') {
      this.#open.delete(result);
      if (!path.startsWith(this.root)) return false;
      const isNew = !this.#names.has(path);
      if (isNew) this.#names.set(path, { live: Buffer.alloc(0), flushed: Buffer.alloc(0) });
      const file = this.#names.get(path) as File | 'directory';
      const isCut = file !== 'directory' && text.includes('O_TRUNC');
      if (isCut) file.live = Buffer.alloc(0);
      this.#open.set(result, { path, file, position: 0 });
      return isNew || isCut;
    }
    if (/^p?writev?/.test(call)) {
      if (!opened || opened.file === 'directory') return false;
      const at = call.startsWith('p') ? (numbers.at(-1) as number) : opened.position;
      const written = Buffer.concat(paths.map((part) => Buffer.from(part, 'latin1'))).subarray(0, result);
      const { live } = opened.file;
      opened.file.live = Buffer.concat([live.subarray(0, at), written, live.subarray(at + written.length)]);
      if (!call.startsWith('p')) opened.position += written.length;
      return true;
    }
    if (call === 'fsync' || call === 'fdatasync') {
      if (opened?.file === 'directory') this.#flushDirectory(opened.path);
      else if (opened) opened.file.flushed = opened.file.live;
      return opened !== undefined;
    }
    if (!to.startsWith(this.root)) return false;
    const file = this.#names.get(path);
    if (call.startsWith('mkdir')) this.#names.set(path, 'directory');
    else if (file && /^(rename|link)/.test(call)) this.#names.set(to, file);
    if (/^(rename|unlink|rmdir)/.test(call)) this.#names.delete(path);
    return true;
  }

  /** The worst that a power cut may leave now: without, or with, what was not flushed of the names and of the contents. */
  remains(): Remains[] {
    return [this.#flushedNames, this.#names].flatMap((names) =>
      (['flushed', 'live'] as const).map((part) => {
        const isReachable = (path: string): boolean =>
          path === this.root || (names.get(dirname(path)) === 'directory' && isReachable(dirname(path)));
        const reached = [...names].filter(([path]) => isReachable(path));
        return new Map(reached.map(([path, file]) => [path, file === 'directory' ? file : file[part]]));
      }),
    );
  }

  #flushDirectory(directory: string): void {
    for (const names of [this.#flushedNames, this.#names])
      for (const path of names.keys())
        if (dirname(path) === directory) {
          const file = this.#names.get(path);
          if (file) this.#flushedNames.set(path, file);
          else this.#flushedNames.delete(path);
        }
  }
}

export interface SystemCall {
  call: string;
  /** Its texts: paths, or what is written. */
  paths: string[];
  /** All its arguments. */
  text: string;
  numbers: number[];
  result: number;
}

/** The calls in the files that `strace -ff -ttt -xx -o` writes, one for each thread, in the order of their time. */
export async function readTrace(directory: string): Promise<SystemCall[]> {
  const files = (await readdir(directory)).map((file) => readFile(join(directory, file), 'latin1'));
  const lines = (await Promise.all(files)).flatMap((text) => text.split('\n'));
  const calls = lines.flatMap((line) => {
    const [, at, call = '', text = '', result] = /^([\d.]+) (\w+)\((.*)\) += (\d+)/.exec(line) ?? [];
    if (at === undefined) return [];
    const paths = [...text.matchAll(/"((?:\\x..)*)"/g)].map(([, hex = '']) => fromHex(hex));
    const numbers = text.split(', ').map(Number);
    return [{ at: Number(at), call, paths, text, numbers, result: Number(result) }];
  });
  return calls.toSorted((one, other) => one.at - other.at);
}

function fromHex(text: string): string {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex').toString('latin1');
}

/** Puts on a real disk what a power cut left. */
export async function restore(remains: Remains, from: string, to: string): Promise<void> {
  for (const [path, content] of [...remains].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const target = to + path.slice(from.length);
    if (content === 'directory') await mkdir(target, { recursive: true });
    else await writeFile(target, content);
  }
}
