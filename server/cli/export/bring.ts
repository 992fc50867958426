import { ExportError } from '../import/items.ts';
import { type Reading, readerOf, readLines } from '../import/records.ts';
import type { SourceEntry } from '../import/source.ts';
import {
  bringContacts,
  bringGroups,
  bringHidden,
  bringListings,
  bringRetention,
} from './bring-conversations.ts';
import { bringMessages, bringStories } from './bring-messages.ts';
import { bringAccounts, bringApplications, bringTestPeople } from './bring-people.ts';
import type { BringDeps, Read } from './deps.ts';
import { FILES, Head, LINES, type LineKind, type Lines, VERSION } from './format.ts';

const AT_ONCE = 1_000;

type Writers = {
  readonly [kind in LineKind]?: (deps: BringDeps, lines: readonly Read<kind>[]) => Promise<void>;
};

const READERS = Object.fromEntries(
  Object.entries(LINES).map(([kind, schema]) => [kind, readerOf(schema)]),
) as { [kind in LineKind]: (where: Read['where'], value: unknown) => Lines[kind] };

const readHead = readerOf(Head);

interface BatchReading extends Reading {
  /** After each batch. */
  step: () => void;
}

/**
 * Reads an export back. People see groups and private conversations only at the end, once their messages are there: an import
 * that is interrupted shows nothing by halves, and goes on when it is run again.
 *
 * @throws ExportError
 */
export async function bringExport(deps: BringDeps, reading: BatchReading): Promise<void> {
  const { source, ids } = deps;
  const head = await source.find(FILES.head);
  if (!head) throw new Error('there is no export.json: is this an export of Parley?');
  for await (const { value, where } of readLines(head, () => undefined)) {
    const { version } = readHead(where, value);
    if (version > VERSION) throw new ExportError(where, 'the export is of a later version of Parley');
  }
  const find = async (path: string) => (await source.find(path)) ?? missing(path);
  const people = await find(FILES.people);
  const conversations = await find(FILES.conversations);
  const messages = await find(FILES.messages);
  const stories = await find(FILES.stories);
  // Conversations are read twice.
  for (const { size } of [people, conversations, messages, conversations, stories]) reading.expect(size);
  const read = (entry: SourceEntry, writers: Writers) => readFile(deps, reading, entry, writers);
  await read(people, {
    account: bringAccounts,
    application: bringApplications,
    testPerson: bringTestPeople,
  });
  const named = async (_: BringDeps, lines: readonly (Read<'contact'> | Read<'listing'>)[]) => {
    for (const { line } of lines) ids.addConversation(line.conversationId, line.accountId, line.peerId);
  };
  const skipped = async () => undefined;
  const others = { group: skipped, retention: skipped, hidden: skipped };
  await read(conversations, { contact: named, listing: named, ...others });
  await read(messages, { message: bringMessages });
  await read(conversations, {
    group: bringGroups,
    contact: bringContacts,
    listing: bringListings,
    retention: bringRetention,
    hidden: bringHidden,
  });
  await read(stories, { story: bringStories });
}

function missing(path: string): never {
  throw new Error(`there is no ${path}: is the export whole?`);
}

/** Writes lines of one kind that follow one another in batches. */
async function readFile(
  deps: BringDeps,
  { onBytes, step }: BatchReading,
  entry: SourceEntry,
  writers: Writers,
): Promise<void> {
  let kind: LineKind | undefined;
  let batch: Read[] = [];
  const flush = async () => {
    const write =
      kind && (writers[kind] as ((deps: BringDeps, lines: readonly Read[]) => Promise<void>) | undefined);
    const lines = batch;
    batch = [];
    if (lines.length > 0) await write?.(deps, lines);
    step();
  };
  for await (const { value, where } of readLines(entry, onBytes)) {
    const of = (value as { kind?: LineKind } | null)?.kind;
    if (of === undefined || !Object.hasOwn(writers, of))
      throw new ExportError(where, `there is no kind ${JSON.stringify(of)} in ${entry.path}`);
    if (of !== kind || batch.length >= AT_ONCE) await flush();
    kind = of;
    batch.push({ line: READERS[of](where, value), where });
  }
  await flush();
}
