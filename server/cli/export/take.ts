import { openExportedMedia } from '#features/media/index.ts';
import { type ExportedMessage, exportMessages } from '#features/messages/index.ts';
import { exportPolls } from '#features/polls/index.ts';
import { exportStories } from '#features/stories/index.ts';
import type { Config } from '#platform/config.ts';
import type { Database, Tx } from '#platform/database.ts';
import { uploadIdOf } from '#platform/files/upload-links.ts';
import { BUCKETS } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { Archive } from './archive.ts';
import {
  Account,
  Application,
  Contact,
  columnsOf,
  FILES,
  type File,
  Former,
  Group,
  Hidden,
  JoinRequest,
  type Line,
  type Lines,
  Listing,
  Member,
  OwnSettings,
  pathOfFile,
  Removed,
  Retention,
  TestPerson,
  VERSION,
} from './format.ts';
import { type ExportedRow, type Reading, rowsOf, toRecord } from './rows.ts';

export interface ExportDeps extends Pick<Platform, 'clock' | 'keyring'> {
  db: Database;
  config: Config;
  signal: AbortSignal;
  /** Told of what has been written. */
  count: (what: Exported, by?: number) => void;
}

export type Exported =
  | 'people and bots'
  | 'applications'
  | 'groups'
  | 'messages'
  | 'messages that cannot be read'
  | 'stories'
  | 'files'
  | 'files that are missing';

/**
 * Writes the server into an archive while it runs: all rows in one repeatable-read transaction, as they are at one moment,
 * and then the files that they name.
 */
export async function takeExport(
  deps: ExportDeps,
  write: (bytes: Buffer) => Promise<unknown>,
): Promise<void> {
  const { db, clock, config } = deps;
  const exportedAt = clock.now();
  const archive = new Archive(write, exportedAt);
  const taking = new Taking(deps);
  await db.begin(async (tx) => {
    await tx.unsafe('set transaction isolation level repeatable read, read only');
    const head = { format: 'parley', version: VERSION, exportedAt, server: publicUrlOf(config) };
    await archive.addLines(FILES.head, listOf(head));
    await archive.addLines(FILES.people, taking.people(tx));
    await archive.addLines(FILES.conversations, taking.conversations(tx));
    await archive.addLines(FILES.messages, taking.messages(tx));
    await archive.addLines(FILES.stories, taking.stories(tx, exportedAt));
  });
  for (const mediaId of taking.mediaIds) await taking.addFile(archive, mediaId);
  await archive.end();
}

async function* listOf(line: object): AsyncGenerator<object> {
  yield line;
}

class Taking {
  readonly #deps: ExportDeps;
  readonly #media: ReturnType<typeof openExportedMedia>;
  /** Of all files that have been named. */
  readonly mediaIds = new Set<string>();

  constructor(deps: ExportDeps) {
    this.#deps = deps;
    this.#media = openExportedMedia(deps);
  }

  async *people(tx: Tx): AsyncGenerator<Line> {
    const accounts = { table: 'accounts', columns: columnsOf(Account), key: ['accountId'] };
    for await (const rows of this.#read(tx, accounts)) {
      const files = await this.#filesOf(tx, rows, ({ pictureUrl }) => [pictureUrl]);
      for (const row of rows) yield this.#line('account', { ...row, ...files(row) });
      this.#deps.count('people and bots', rows.length);
    }
    yield* this.#applications(tx);
    yield* this.#rows(tx, 'testPerson', {
      table: 'test_people',
      columns: columnsOf(TestPerson),
      key: ['accountId'],
    });
  }

  /** Without those that are deleted, and published clients, which nobody registered here. */
  async *#applications(tx: Tx): AsyncGenerator<Line> {
    const { redirectUris: _, bot: __, ...own } = Application.properties;
    const where = "state <> 'deleted' and client_url is null";
    const reading = { table: 'applications', columns: Object.keys(own), key: ['appId'], where };
    for await (const rows of this.#read(tx, reading)) {
      const appIds = rows.map(({ appId }) => String(appId));
      const uris = await tx<{ appId: string; uri: string }[]>`
        select app_id, uri from redirect_uris where app_id = any(${appIds}) order by app_id, created_at, uri`;
      const bots = await tx<({ appId: string } & NonNullable<Lines['application']['bot']>)[]>`
        select app_id, account_id, username, description, commands, created_at
        from bots where app_id = any(${appIds}) and deleted_at is null`;
      for (const row of rows) {
        const found = bots.find(({ appId }) => appId === row['appId']);
        const { appId: ___, ...bot } = found ?? {};
        const redirectUris = uris.flatMap(({ appId, uri }) => (appId === row['appId'] ? uri : []));
        yield this.#line('application', { ...row, redirectUris, ...(found && { bot }) });
      }
      this.#deps.count('applications', rows.length);
    }
  }

  async *conversations(tx: Tx): AsyncGenerator<Line> {
    const where = 'deleted_at is null';
    const groups = { table: 'groups', columns: columnsOf(Group), key: ['bucket', 'groupId'], where };
    for await (const rows of this.#read(tx, groups, ['bucket'])) {
      const files = await this.#filesOf(tx, rows, ({ photoUrl }) => [photoUrl]);
      for (const { bucket, ...row } of rows) {
        const inGroup = `bucket = ${bucket} and group_id = '${row['groupId']}'`;
        const members = await this.#members(tx, String(row['groupId']), inGroup);
        yield this.#line('group', {
          ...row,
          members,
          ...(await this.#outsiders(tx, inGroup)),
          ...files(row),
        });
      }
      this.#deps.count('groups', rows.length);
    }
    const inBuckets = ['bucket', 'conversationId'];
    yield* this.#rows(tx, 'contact', {
      table: 'contacts',
      columns: columnsOf(Contact),
      key: [...inBuckets, 'accountId'],
    });
    yield* this.#rows(tx, 'listing', {
      ...{
        table: 'account_conversations',
        columns: columnsOf(Listing),
        key: ['accountId', 'conversationId'],
      },
      where: "kind = 'private'",
    });
    yield* this.#rows(tx, 'retention', {
      ...{ table: 'conversation_retention', columns: columnsOf(Retention), key: inBuckets },
      where: 'lifetime_days is not null',
    });
    yield* this.#rows(tx, 'hidden', {
      table: 'hidden_messages',
      columns: columnsOf(Hidden),
      key: ['accountId', 'msgId'],
    });
  }

  async #members(tx: Tx, groupId: string, inGroup: string): Promise<object[]> {
    const { listing: _, unreadMentions: __, ...own } = Member.properties;
    const members: object[] = [];
    const reading = { table: 'members', columns: Object.keys(own), key: ['accountId'], where: inGroup };
    for await (const rows of this.#read(tx, reading)) {
      const ids = rows.map(({ accountId }) => `'${accountId}'`).join();
      const where = `conversation_id = '${groupId}' and account_id in (${ids})`;
      const settings = { table: 'account_conversations', columns: columnsOf(OwnSettings), where };
      const listings = await this.#all(tx, { ...settings, key: ['accountId'] }, ['accountId']);
      const listingOf = new Map(listings.map(({ accountId, ...listing }) => [accountId, listing]));
      const unread = { table: 'mentions', columns: ['accountId', 'msgId'], where };
      const mentions = await this.#all(tx, { ...unread, key: ['accountId', 'msgId'] });
      const mentionsOf = Map.groupBy(mentions, ({ accountId }) => accountId);
      for (const row of rows) {
        const listing = listingOf.get(row['accountId']);
        const unreadMentions = mentionsOf.get(row['accountId'])?.map(({ msgId }) => msgId);
        members.push({ ...row, ...(listing && { listing }), ...(unreadMentions && { unreadMentions }) });
      }
    }
    return members;
  }

  async #outsiders(tx: Tx, inGroup: string): Promise<object> {
    const of = (table: string, schema: typeof Removed | typeof JoinRequest | typeof Former) =>
      this.#all(tx, { table, columns: columnsOf(schema), key: ['accountId'], where: inGroup });
    const removed = await of('removed_members', Removed);
    const joinRequests = await of('join_requests', JoinRequest);
    const former = await of('former_members', Former);
    return {
      ...(removed.length > 0 && { removed }),
      ...(joinRequests.length > 0 && { joinRequests }),
      ...(former.length > 0 && { former }),
    };
  }

  async *messages(tx: Tx): AsyncGenerator<Line> {
    const { keyring, count } = this.#deps;
    for (let bucket = 0; bucket < BUCKETS; bucket++)
      for await (const { messages, unreadable } of exportMessages({ db: tx, keyring }, bucket)) {
        const polls = await exportPolls(
          { db: tx, keyring },
          messages.filter(({ content }) => content.type === 'poll'),
        );
        const files = await this.#filesOf(tx, messages, ({ content: { body } }) => [
          body.fileUrl,
          body.thumbnailUrl,
        ]);
        for (const message of messages)
          yield this.#line('message', {
            ...toLine(message),
            ...(polls.has(message.msgId) && { poll: polls.get(message.msgId) }),
            ...files(message),
          });
        count('messages', messages.length);
        count('messages that cannot be read', unreadable);
      }
  }

  async *stories(tx: Tx, now: number): AsyncGenerator<Line> {
    const { keyring, config, count } = this.#deps;
    for await (const story of exportStories({ db: tx, keyring, config }, now)) {
      const files = await this.#filesOf(tx, [story], ({ elements }) =>
        elements.flatMap(({ body }) => [body.imageUrl, body.videoUrl, body.thumbnailUrl]),
      );
      yield this.#line('story', { ...story, ...files(story) });
      count('stories');
    }
  }

  async addFile(archive: Archive, mediaId: string): Promise<void> {
    this.#deps.signal.throwIfAborted();
    const content = await this.#media.open(mediaId);
    if (content) await archive.addFile(pathOfFile(mediaId), content);
    this.#deps.count(content ? 'files' : 'files that are missing');
  }

  /** Rows as an export has them, with further columns. */
  async *#read(tx: Tx, reading: Reading, further: readonly string[] = []): AsyncGenerator<ExportedRow[]> {
    for await (const rows of rowsOf(tx, reading)) {
      this.#deps.signal.throwIfAborted();
      yield rows.map((row) => toRecord(row, [...reading.columns, ...further]));
    }
  }

  async #all(tx: Tx, reading: Reading, further: readonly string[] = []): Promise<ExportedRow[]> {
    const all: ExportedRow[] = [];
    for await (const rows of this.#read(tx, reading, further)) all.push(...rows);
    return all;
  }

  async *#rows(tx: Tx, kind: Line['kind'], reading: Reading): AsyncGenerator<Line> {
    for await (const rows of this.#read(tx, reading)) for (const row of rows) yield this.#line(kind, row);
  }

  /** The types of columns are those of the schema: what is read back is checked against it. */
  #line(kind: Line['kind'], fields: object): Line {
    return { kind, ...fields } as Line;
  }

  /** Looks up the uploads that rows name. @returns those of a row */
  async #filesOf<R>(tx: Tx, rows: readonly R[], urlsOf: (row: R) => unknown[]) {
    const idsOf = (row: R) =>
      urlsOf(row).flatMap((url) => (typeof url === 'string' ? (uploadIdOf(url) ?? []) : []));
    const found = await this.#media.find(tx, [...new Set(rows.flatMap(idsOf))]);
    for (const mediaId of found.keys()) this.mediaIds.add(mediaId);
    return (row: R): { files?: File[] } => {
      const files = idsOf(row).flatMap((mediaId) => found.get(mediaId) ?? []);
      return files.length > 0 ? { files } : {};
    };
  }
}

function toLine({ content, reactions, pinned, bucket: _, ...message }: ExportedMessage): object {
  const { type, body, replyToMsgId } = content;
  return {
    ...message,
    ...{ type, body },
    ...(replyToMsgId !== undefined && { replyToMsgId }),
    ...(reactions.length > 0 && { reactions }),
    ...(pinned && { pinned }),
  };
}
