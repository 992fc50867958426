import { Type } from 'typebox';
import { ExportError, type Item, type SourceConversation, type SourceFile, type Where } from './items.ts';
import { readValues } from './json-values.ts';
import { maybe, type OnBytes, type Reading, readerOf, texts } from './records.ts';
import { emojiNamed } from './shortcodes.ts';
import {
  linkTo,
  type Message,
  type Named,
  Profile,
  positionOf,
  readMessage,
  senderOf,
  textOf,
} from './slack-message.ts';
import { findFile, type Source } from './source.ts';

const Text = Type.String();

const readUser = readerOf(
  Type.Object({
    id: Text,
    ...texts('name', 'real_name'),
    deleted: maybe(Type.Boolean()),
    profile: Profile,
  }),
);

/** Numbers are strings in exports of 2016. */
const Seconds = Type.Union([Type.Number(), Type.String()]);
const Topic = maybe(Type.Object(texts('value')));
const readChannel = readerOf(
  Type.Object({
    id: Text,
    ...texts('name', 'creator'),
    created: maybe(Seconds),
    is_archived: maybe(Type.Boolean()),
    members: maybe(Type.Array(Text)),
    topic: Topic,
    purpose: Topic,
    pins: maybe(Type.Array(Type.Object({ id: Text, ...texts('user') }))),
  }),
);
type Channel = ReturnType<typeof readChannel>;

/** Files of conversations, and the kind of conversation that each lists. */
const LISTS = [
  { file: 'channels.json', kind: 'channel' },
  { file: 'groups.json', kind: 'channel' },
  { file: 'mpims.json', kind: 'several' },
  { file: 'dms.json', kind: 'private' },
] as const;

/** Messages of these kinds are what somebody wrote; those of all others tell what happened. */
const WRITTEN = new Set([
  '',
  'bot_message',
  'file_comment',
  'file_share',
  'me_message',
  'thread_broadcast',
  'reply_broadcast',
  'slackbot_response',
]);
/** Files that were deleted, and those that a free workspace no longer shows. */
const GONE = new Set<string | null | undefined>(['tombstone', 'hidden_by_limit']);

/** Reads an export of Slack: the archive, or the folder that it was unpacked into. */
export async function* readSlack(source: Source, reading: Reading): AsyncGenerator<Item> {
  const reader = new SlackReader(source, reading.onBytes);
  yield* reader.people();
  const channels = await reader.channels();
  for (const { folder } of channels)
    for (const path of await reader.daysOf(folder)) reading.expect((await source.find(path))?.size ?? 0);
  yield* reader.unlisted(channels);
  for (const listed of channels) {
    const conversation = reader.conversationOf(listed);
    yield { kind: 'conversation', conversation };
    for (const path of await reader.daysOf(listed.folder)) yield* reader.messages(path, conversation.id);
    yield* pinsOf(listed);
  }
}

interface Listed {
  channel: Channel;
  kind: (typeof LISTS)[number]['kind'];
  folder: string;
  where: Where;
}

class SlackReader {
  readonly #source: Source;
  readonly #onBytes: OnBytes;
  readonly #names = new Map<string, string>();
  readonly #channelNames = new Map<string, string>();
  /** The people who are bots, by the ids that bots have. */
  readonly #bots = new Map<string, string>();

  constructor(source: Source, onBytes: OnBytes) {
    this.#source = source;
    this.#onBytes = onBytes;
  }

  async *people(): AsyncGenerator<Item> {
    // That of a whole organization has another name.
    const entry = (await this.#source.find('users.json')) ?? (await this.#source.find('org_users.json'));
    if (!entry) throw new Error('there is no users.json in it: is this an export of Slack?');
    for await (const { value, where } of readValues(entry, ['$.*'], () => {})) {
      const { id, name, deleted, real_name, profile } = readUser(where, value);
      const shown = profile?.display_name || profile?.real_name || real_name || name || id;
      this.#names.set(id, shown);
      const botId = profile?.bot_id;
      if (botId) for (const own of ['', `:${shown}`, `:${name}`]) this.#bots.set(`${botId}${own}`, id);
      yield {
        kind: 'person',
        person: { id, name: shown, email: profile?.email ?? undefined, isActive: !deleted },
      };
    }
  }

  /** Whichever lists the export has: without special permission, it has public channels alone. */
  async channels(): Promise<Listed[]> {
    const found: Listed[] = [];
    for (const { file, kind } of LISTS) {
      const entry = await this.#source.find(file);
      if (!entry) continue;
      for await (const { value, where } of readValues(entry, ['$.*'], () => {})) {
        const channel = readChannel(where, value);
        const { id, name } = channel;
        this.#channelNames.set(id, name || id);
        // Folders of private conversations have the id as their name.
        const folder = kind === 'private' ? id : name || id;
        found.push({ channel, kind, folder, where });
      }
    }
    if (found.length === 0) throw new Error('there is no channels.json in it: is this an export of Slack?');
    return found;
  }

  /** Members of other workspaces are in no list: their names stand in what they wrote. */
  async *unlisted(channels: readonly Listed[]): AsyncGenerator<Item> {
    for (const { channel, folder } of channels) {
      const members = new Set(channel.members);
      for (const path of await this.daysOf(folder)) {
        if ([...members].every((id) => this.#names.has(id))) break;
        for await (const { value, where } of this.#valuesOf(path, () => {})) {
          const message = readMessage(where, value);
          if (members.has(this.#senderOf(message))) yield* this.#meet(message);
        }
      }
    }
    const folders = new Set(channels.map(({ folder }) => folder));
    for (const folder of await this.#source.list(''))
      if (!folders.has(folder))
        for (const _ of await this.daysOf(folder))
          yield { kind: 'left-out', what: 'days of unlisted channels' };
  }

  conversationOf({ channel, kind }: Listed): SourceConversation {
    const { id, name, created, creator, is_archived, members, topic, purpose } = channel;
    const people = [...new Set(members)];
    return {
      id,
      kind: kind === 'private' ? 'private' : 'group',
      name: kind === 'channel' ? name || id : people.map((one) => this.#names.get(one) ?? one).join(', '),
      description: [purpose?.value, topic?.value].filter(Boolean).join(' · '),
      createdAt: Number(created) * 1000 || undefined,
      creatorId: creator || undefined,
      isArchived: is_archived ?? false,
      // Each of a few people may change what belongs to all of them.
      members: new Map(people.map((one) => [one, kind === 'several' || one === creator])),
    };
  }

  /** One file for each day. */
  async daysOf(folder: string): Promise<string[]> {
    const names = await this.#source.list(folder);
    return names.filter((name) => /^\d{4}-\d\d-\d\d\.json$/.test(name)).map((name) => `${folder}/${name}`);
  }

  async *messages(path: string, conversationId: string): AsyncGenerator<Item> {
    for await (const { value, where } of this.#valuesOf(path, this.#onBytes))
      yield* this.#message(readMessage(where, value), conversationId, where);
  }

  async *#valuesOf(path: string, onBytes: OnBytes): ReturnType<typeof readValues> {
    const entry = await this.#source.find(path);
    if (entry) yield* readValues(entry, ['$.*'], onBytes);
  }

  async *#message(message: Message, conversationId: string, where: Where): AsyncGenerator<Item> {
    const { type, subtype, thread_ts, ts, edited, reactions, files, file } = message;
    if (type !== 'message')
      throw new ExportError(where, `there is no type ${JSON.stringify(type)} in an export of Slack`);
    if (subtype === 'tombstone') return yield { kind: 'left-out', what: 'deleted messages' };
    if (!WRITTEN.has(subtype ?? '')) return yield { kind: 'left-out', what: 'service messages' };
    const given = [];
    for (const { name, users } of reactions ?? []) {
      const emoji = emojiNamed(name);
      for (const personId of users)
        if (emoji === undefined) yield { kind: 'left-out', what: 'reactions with emoji of their own' };
        else given.push({ emoji, personId });
    }
    yield* this.#meet(message);
    const { text: said, mentions } = textOf(message, this.#names, this.#channelNames);
    const listedFiles = files ?? (file ? [file] : []);
    // People often paste the address as well.
    const links = listedFiles.filter(({ url_private: url }) => !url || !said.includes(url)).map(linkTo);
    const text = [said, ...links].filter(Boolean).join('\n');
    for (const { mode } of listedFiles)
      if (GONE.has(mode)) yield { kind: 'left-out', what: 'deleted and hidden files' };
    const found = await this.#filesOf(listedFiles, where);
    if (text === '' && found.length === 0)
      return yield { kind: 'left-out', what: 'messages with nothing to show' };
    yield {
      kind: 'message',
      where,
      message: {
        ...positionOf(where, ts),
        conversationId,
        senderId: this.#senderOf(message),
        text,
        mentions,
        replyTo: thread_ts && thread_ts !== ts ? positionOf(where, thread_ts) : undefined,
        editedAt: edited ? positionOf(where, edited.ts).at : undefined,
        reactions: given,
        files: found,
      },
    };
  }

  #senderOf(message: Message): string {
    const id = senderOf(message);
    return this.#bots.get(id) ?? id;
  }

  /** Guests of other workspaces, and some bots, are not listed. */
  *#meet(message: Message): Generator<Item> {
    const id = this.#senderOf(message);
    if (this.#names.has(id)) return;
    const { username, user_profile: profile, bot_profile } = message;
    const given = profile?.display_name || profile?.real_name || username || bot_profile?.name;
    const name = given || (id === 'USLACKBOT' ? 'Slackbot' : id);
    this.#names.set(id, name);
    yield { kind: 'person', person: { id, name } };
  }

  /** Slack's own export has no files; tools that complete it put them here. */
  async #filesOf(files: readonly Named[], where: Where): Promise<SourceFile[]> {
    const found: SourceFile[] = [];
    for (const one of files) {
      const { id, name, title, mode, url_private: url } = one;
      if (GONE.has(mode) || linkTo(one) !== undefined) continue;
      const fileName = name || title || id || 'file';
      const folders = id ? [`__uploads/${id}`, 'attachments'] : ['attachments'];
      const paths = folders.flatMap((folder) => [`${folder}/${fileName}`, `${folder}/${id}-${fileName}`]);
      let path: string | undefined;
      for (const place of paths) path ??= (await findFile(this.#source, place, where))?.path;
      found.push({ name: fileName, path, isLinked: path === undefined && url != null });
    }
    return found;
  }
}

function* pinsOf({ channel: { id: conversationId, pins }, where }: Listed): Generator<Item> {
  for (const { id, user } of pins ?? [])
    if (/^\d{9,10}\.\d{6}$/.test(id) && user)
      yield { kind: 'pin', conversationId, position: positionOf(where, id), by: user };
}
