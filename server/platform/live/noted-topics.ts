import type { Database, Db, Tx } from '../database.ts';
import { CHANGED_ELSEWHERE, Live, type MakeEvent, type Relay } from '../live.ts';
import { Loop } from '../loop.ts';
import type { Platform } from '../platform.ts';

/** The maximum delay until open pages learn of changes by the command line. */
const EVERY_MS = 1_000;
/** The tolerated difference between the clocks of two machines. */
const READ_BACK_MS = 10 * 60_000;
const KEPT_MS = 3_600_000;

/** Live events of a program that cannot publish to open pages: it records the accounts concerned. */
export class NotedTopics implements Relay {
  readonly #topics = new Set<string>();
  readonly live = new Live(this);

  publish(topic: string, _make: MakeEvent): void {
    this.#topics.add(topic);
  }

  onEvent(): void {}
  onGap(): void {}
  follow(): void {}
  leave(): void {}
  async settled(): Promise<void> {}

  /** To be called after the commit; every server learns of it within a second. */
  async store(
    { clock, newId }: Pick<Platform, 'clock' | 'newId'>,
    open: () => Promise<Database>,
  ): Promise<void> {
    if (this.#topics.size === 0) return;
    const notedAt = clock.now();
    const db = await open();
    await db.write((tx) => insertNote(tx, { noteId: newId('nte'), notedAt, topics: [...this.#topics] }));
    await db.write((tx) => deleteNotes(tx, notedAt - KEPT_MS));
  }
}

/** Makes open pages of this process reload after changes by the command line, until it is disposed of. */
export function followNotedTopics(
  platform: Pick<Platform, 'db' | 'clock' | 'live' | 'log' | 'metrics'>,
): AsyncDisposable {
  return new Loop(platform, { name: 'noted-topics', everyMs: EVERY_MS }, lookForNotedTopics(platform));
}

/** One step of this; the first only reads the existing entries. */
export function lookForNotedTopics({
  db,
  clock,
  live,
}: Pick<Platform, 'db' | 'clock' | 'live'>): () => Promise<void> {
  let known: Set<string> | undefined;
  return async () => {
    const notes = await selectNotes(db, clock.now() - READ_BACK_MS);
    const fresh = known ? notes.filter(({ noteId }) => !known?.has(noteId)) : [];
    known = new Set(notes.map(({ noteId }) => noteId));
    for (const topic of new Set(fresh.flatMap(({ topics }) => topics)))
      live.publishLocally(topic, CHANGED_ELSEWHERE);
  };
}

interface Note {
  noteId: string;
  topics: string[];
}

async function insertNote(tx: Tx, { noteId, notedAt, topics }: Note & { notedAt: number }): Promise<void> {
  await tx`insert into noted_topics (note_id, noted_at, topics) values (${noteId}, ${notedAt}, ${topics})`;
}

async function deleteNotes(tx: Tx, before: number): Promise<void> {
  await tx`delete from noted_topics where noted_at < ${before}`;
}

async function selectNotes(db: Db, since: number): Promise<Note[]> {
  return db<Note[]>`select note_id, topics from noted_topics where noted_at >= ${since}`;
}
