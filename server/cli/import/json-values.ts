import { Tokenizer, TokenParser } from '@streamparser/json';
import { ExportError } from './items.ts';
import { chunksOf, MOST_BYTES, NEWLINE, type OnBytes, type Record, tooLarge } from './records.ts';
import type { SourceEntry } from './source.ts';

/**
 * The values at the given paths of a JSON file (`$.messages.*`), however large it is, in their order.
 *
 * @throws ExportError for a value that is too large, and where the file is not JSON
 */
export async function* readValues(
  entry: SourceEntry,
  paths: string[],
  onBytes: OnBytes,
): AsyncGenerator<Record> {
  const { path } = entry;
  const tokenizer = new Tokenizer();
  const parser = new TokenParser({ paths, keepStack: false });
  const lines = new LineCount();
  let found: Record[] = [];
  let offset = 0;
  let readTo = 0;
  let lastValueAt = 0;
  tokenizer.onToken = (token) => {
    offset = token.offset;
    parser.write(token);
  };
  parser.onValue = ({ value, key, stack }) => {
    lastValueAt = readTo;
    const keys = [...stack.slice(1).map((one) => one.key), key];
    found.push({ value, keys, where: { path, line: lines.at(offset) } });
  };
  // Only the first error says what is wrong.
  let fault: Error | undefined;
  const fail = (error: Error) => {
    fault ??= error;
  };
  tokenizer.onError = fail;
  parser.onError = fail;
  for await (const chunk of chunksOf(entry)) {
    onBytes(chunk.length);
    lines.add(chunk);
    readTo += chunk.length;
    tokenizer.write(chunk);
    if (fault) throw new ExportError({ path, line: lines.at(offset) }, `not JSON: ${fault.message}`);
    if (readTo - lastValueAt > MOST_BYTES) throw tooLarge({ path, line: lines.at(offset) });
    yield* found;
    found = [];
  }
  if (!parser.isEnded) throw new ExportError({ path, line: lines.at(readTo) }, 'not JSON: it ends early');
  yield* found;
}

/** The lines of the last two chunks of a file. */
class LineCount {
  #line = 1;
  #start = 0;
  #chunk: Buffer = Buffer.alloc(0);
  #counted = 0;

  add(chunk: Buffer): void {
    this.#line = this.at(this.#start + this.#chunk.length);
    this.#start += this.#chunk.length;
    this.#chunk = chunk;
    this.#counted = 0;
  }

  /** The line of an offset, which may not be before the one asked for last. */
  at(offset: number): number {
    const to = Math.min(Math.max(offset - this.#start, this.#counted), this.#chunk.length);
    for (let at = this.#chunk.indexOf(NEWLINE, this.#counted); at >= 0 && at < to; ) {
      this.#line++;
      at = this.#chunk.indexOf(NEWLINE, at + 1);
    }
    this.#counted = to;
    return this.#line;
  }
}
