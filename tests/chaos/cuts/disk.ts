import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Chance } from '../../chance.ts';
import { type Choice, Content, PAGE_BYTES, States } from './content.ts';
import type { SystemCall } from './trace.ts';

const SECTOR_BYTES = 512;

type Entry = Content | 'directory' | undefined;

/** What is on a disk after a power cut: the content of each file by its path, and directories. */
export type Remains = Map<string, Buffer | 'directory'>;

/** What a power cut leaves: of names, of sizes and of pages, one of their states since the last flush. */
export interface Cut extends Choice {
  /** The names of a directory are left as they were at one of these moments. */
  moment(changes: number[]): number;
}

export const FLUSHED: Cut = { moment: first, size: first, page: first };
const LIVE: Cut = { moment: last, size: last, page: last };

/**
 * A directory as POSIX promises it and no file system needs to exceed: a content is safe once its file was flushed, and a name once
 * its directory was.
 */
export class Disk {
  readonly root: string;
  readonly #names = new Map<string, States<Entry>>();
  /** Where the program that opened a file last continues to write. */
  readonly #positions = new Map<string, number>();

  private constructor(root: string) {
    this.root = root;
  }

  /** All that is in a directory now counts as flushed. */
  static async of(root: string): Promise<Disk> {
    const disk = new Disk(root);
    disk.#names.set(root, new States<Entry>('directory'));
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const content = entry.isFile() ? new Content(await readFile(path)) : 'directory';
      disk.#names.set(path, new States<Entry>(content));
    }
    return disk;
  }

  /** Carries out a system call; returns whether it changed or flushed anything here. */
  apply(call: SystemCall): boolean {
    const { paths, result, begunAt, returnedAt: now } = call;
    const [path = '', to = path] = paths;
    const entry = this.#names.get(path)?.live;
    switch (call.call) {
      case 'open':
      case 'openat':
        return this.#open(call, path, entry);
      case 'lseek':
        this.#positions.set(path, result);
        return false;
      case 'fsync':
      case 'fdatasync':
        if (entry === 'directory') this.#flushNames(path, begunAt);
        else entry?.flush(begunAt);
        return entry !== undefined;
      case 'mkdir':
      case 'mkdirat':
        this.#name(path, 'directory', now);
        return true;
      case 'rename':
      case 'renameat':
      case 'renameat2':
        if (entry === 'directory') throw new Error(`renamed directories are not in the model: ${path}`);
        this.#name(to, entry, now);
        this.#name(path, undefined, now);
        return true;
      case 'link':
      case 'linkat':
        this.#name(to, entry, now);
        return true;
      case 'unlink':
      case 'unlinkat':
      case 'rmdir':
        this.#name(path, undefined, now);
        return true;
      default:
        return entry instanceof Content && this.#change(call, path, entry);
    }
  }

  #open({ text, returnedAt: now }: SystemCall, path: string, entry: Entry): boolean {
    if (/O_D?SYNC/.test(text)) throw new Error(`writes that flush are not in the model: ${path}`);
    if (entry === 'directory' || !/O_WRONLY|O_RDWR/.test(text)) return false;
    const file = entry ?? new Content();
    if (!entry) this.#name(path, file, now);
    const isCut = text.includes('O_TRUNC') && file.size > 0;
    if (isCut) file.truncate(0, now);
    this.#positions.set(path, text.includes('O_APPEND') ? file.size : 0);
    return !entry || isCut;
  }

  /** Of the content of an open file. */
  #change(
    { call, data, text, numbers, result, returnedAt: now }: SystemCall,
    path: string,
    file: Content,
  ): boolean {
    const [number, before] = [numbers.at(-1), numbers.at(-2)] as [number, number];
    switch (call) {
      case 'write':
      case 'writev': {
        const at = this.#positions.get(path) ?? 0;
        file.write(data.subarray(0, result), at, now);
        this.#positions.set(path, at + result);
        return true;
      }
      case 'pwrite64':
      case 'pwritev':
        file.write(data.subarray(0, result), number, now);
        return true;
      case 'truncate':
      case 'ftruncate':
        file.truncate(number, now);
        return true;
      case 'fallocate':
        file.extend(before + number, now);
        return true;
      default:
        if (call === 'mmap' && !/PROT_WRITE.*MAP_SHARED/.test(text)) return false;
        throw new Error(`not in the model: ${call} of ${path}`);
    }
  }

  /** The worst that a power cut may leave now: without, or with, what was not flushed of the names and of the contents. */
  extremes(): Remains[] {
    return [FLUSHED, LIVE].flatMap(({ moment }) =>
      [FLUSHED, LIVE].map((contents) => this.after({ ...contents, moment })),
    );
  }

  after(cut: Cut): Remains {
    const changes = Map.groupBy(
      [...this.#names].flatMap(([path, { moments }]) =>
        moments.map((at) => ({ directory: dirname(path), at })),
      ),
      ({ directory }) => directory,
    );
    const moments = new Map(
      [...changes].map(([directory, all]) => [
        directory,
        cut.moment(all.map(({ at }) => at).toSorted((one, other) => one - other)),
      ]),
    );
    const entryOf = (path: string): Entry => this.#names.get(path)?.at(moments.get(dirname(path)) as number);
    const isReached = (path: string): boolean =>
      path === this.root || (entryOf(path) === 'directory' && isReached(dirname(path)));
    const remains: Remains = new Map();
    for (const path of this.#names.keys()) {
      const entry = entryOf(path);
      if (entry && (path === this.root || isReached(dirname(path))))
        remains.set(path, entry === 'directory' ? entry : entry.after(cut));
    }
    return remains;
  }

  #name(path: string, entry: Entry, now: number): void {
    const states = this.#names.get(path) ?? new States<Entry>(undefined);
    states.set(entry, now);
    this.#names.set(path, states);
  }

  #flushNames(directory: string, begunAt: number): void {
    for (const [path, states] of this.#names) if (dirname(path) === directory) states.flush(begunAt);
  }
}

/** Writes some of what was not flushed: a directory's names up to some moment, and any sectors of a page. */
export class TornCut implements Cut {
  /** How many pages have sectors of several states. */
  tornPages = 0;
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  moment(changes: number[]): number {
    return this.#chance.oneOf(changes);
  }

  size(states: number[]): number {
    return this.#chance.oneOf(states);
  }

  page(states: Buffer[]): Buffer {
    if (states.length === 1 || this.#chance.isHeads()) return this.#chance.oneOf(states);
    const page = Buffer.alloc(PAGE_BYTES);
    for (let at = 0; at < PAGE_BYTES; at += SECTOR_BYTES)
      this.#chance.oneOf(states).copy(page, at, at, at + SECTOR_BYTES);
    if (!states.some((state) => state.equals(page))) this.tornPages++;
    return page;
  }
}

/** Puts on a real disk what a power cut left. */
export async function restore(remains: Remains, from: string, to: string): Promise<void> {
  for (const [path, content] of [...remains].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const target = to + path.slice(from.length);
    if (content === 'directory') await mkdir(target, { recursive: true });
    else await writeFile(target, content);
  }
}

function first<T>(states: T[]): T {
  return states[0] as T;
}

function last<T>(states: T[]): T {
  return states.at(-1) as T;
}
