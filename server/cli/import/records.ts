import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { each } from '#contract/fields.ts';
import { ExportError, type Where } from './items.ts';
import type { SourceEntry } from './source.ts';

/** The longest line, and the largest value of a list, that is read into memory. */
export const MOST_BYTES = 32 * 1024 * 1024;
export const NEWLINE = 0x0a;

/** A value of a file, with its place. */
export interface Record {
  value: unknown;
  /** The names that lead to it. */
  keys: (string | number | undefined)[];
  where: Where;
}

/** Told of the bytes that have been read. */
export type OnBytes = (count: number) => void;

/** Told how far the reading of an export is. */
export interface Reading {
  /** Further bytes that will be read. */
  expect: (bytes: number) => void;
  onBytes: OnBytes;
}

/** The values of a file with one on each line. @throws ExportError for a line that is too long or no JSON */
export async function* readLines(entry: SourceEntry, onBytes: OnBytes): AsyncGenerator<Record> {
  const { path } = entry;
  let line = 1;
  let rest: Buffer[] = [];
  let length = 0;
  const parsed = (bytes: Buffer): Record[] => {
    const where = { path, line: line++ };
    const text = bytes.toString().trim();
    return text === '' ? [] : [{ value: parse(where, text), keys: [], where }];
  };
  for await (const chunk of chunksOf(entry)) {
    onBytes(chunk.length);
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield* parsed(Buffer.concat([...rest, chunk.subarray(from, end)]));
      rest = [];
      length = 0;
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > MOST_BYTES) throw tooLarge({ path, line });
  }
  yield* parsed(Buffer.concat(rest));
}

export async function* chunksOf({ path, open }: SourceEntry): AsyncGenerator<Buffer> {
  const stream = await open();
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`);
  } finally {
    stream.destroy();
  }
}

function parse(where: Where, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ExportError(where, `not JSON: ${(error as Error).message}`);
  }
}

export function tooLarge(where: Where): ExportError {
  return new ExportError(where, `more than ${MOST_BYTES / 1024 / 1024} MB at once`);
}

/** A field that an export may leave out, or have as null. */
export function maybe<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

/** Fields that are texts, each of which an export may leave out, or have as null. */
export function texts<N extends string>(...names: N[]) {
  return each(maybe(Type.String()), ...names);
}

/** Checks values against a schema; fields that it does not name are ignored. */
export function readerOf<T extends TSchema>(schema: T): (where: Where, value: unknown) => Static<T> {
  const compiled = Compile(schema);
  return (where, value) => {
    if (compiled.Check(value)) return value as Static<T>;
    const [first] = compiled.Errors(value);
    const field = first?.instancePath.slice(1).replaceAll('/', '.') || 'the value';
    throw new ExportError(where, `${field} ${first?.message ?? 'is wrong'}`);
  };
}
