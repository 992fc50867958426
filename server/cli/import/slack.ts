import { type Static, Type } from 'typebox';
import { fromMrkdwn } from '#features/incoming-webhooks/index.ts';
import {
  ExportError,
  type Item,
  type Position,
  requireTime,
  type SourceConversation,
  type SourceFile,
  type Where,
} from './items.ts';
import { readValues } from './json-values.ts';
import { maybe, type OnBytes, type Reading, readerOf } from './records.ts';
import { emojiNamed, withEmoji } from './shortcodes.ts';
import { findFile, type Source } from './source.ts';

const Text = Type.String();
const OptionalText = maybe(Text);

const Profile = maybe(
  Type.Object({ real_name: OptionalText, display_name: OptionalText, email: OptionalText }),
);
const readUser = readerOf(
  Type.Object({
    id: Text,
    name: OptionalText,
    deleted: maybe(Type.Boolean()),
    real_name: OptionalText,
    profile: Profile,
  }),
);

/** Numbers are strings in exports of 2016. */
const Seconds = Type.Union([Type.Number(), Type.String()]);
const Topic = maybe(Type.Object({ value: OptionalText }));
const readChannel = readerOf(
  Type.Object({
    id: Text,
    name: OptionalText,
    created: maybe(Seconds),
    creator: OptionalText,
    is_archived: maybe(Type.Boolean()),
    members: maybe(Type.Array(Text)),
    topic: Topic,
    purpose: Topic,
    pins: maybe(Type.Array(Type.Object({ id: Text, user: OptionalText }))),
  }),
);
type Channel = ReturnType<typeof readChannel>;

const File = Type.Object({
  id: OptionalText,
  name: OptionalText,
  title: OptionalText,
  mode: OptionalText,
  url_private: OptionalText,
});
/** Until 2018, a file or a comment on one was a message, whose text says in English what happened. */
const Comment = Type.Object({ user: OptionalText, comment: OptionalText });
const CommentedFile = Type.Object({ ...File.properties, initial_comment: maybe(Comment) });
const readMessage = readerOf(
  Type.Object({
    type: Text,
    subtype: OptionalText,
    user: OptionalText,
    bot_id: OptionalText,
    username: OptionalText,
    user_profile: Profile,
    bot_profile: maybe(Type.Object({ name: OptionalText })),
    text: OptionalText,
    ts: Text,
    thread_ts: OptionalText,
    edited: maybe(Type.Object({ ts: Text })),
    reactions: maybe(Type.Array(Type.Object({ name: Text, users: Type.Array(Text) }))),
    files: maybe(Type.Array(File)),
    file: maybe(CommentedFile),
    comment: maybe(Comment),
    attachments: maybe(Type.Array(Type.Object({ text: OptionalText, fallback: OptionalText }))),
  }),
);
type Message = ReturnType<typeof readMessage>;

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
]);
const MENTION = /<@([A-Z0-9]+)(?:\|[^>]*)?>/g;
const CHANNEL = /<#([A-Z0-9]+)(?:\|([^>]*))?>/g;

/** Reads an export of Slack: the archive, or the folder that it was unpacked into. */
export async function* readSlack(source: Source, reading: Reading): AsyncGenerator<Item> {
  const reader = new SlackReader(source, reading.onBytes);
  yield* reader.people();
  const channels = await reader.channels();
  for (const { folder } of channels)
    for (const path of await reader.daysOf(folder)) reading.expect((await source.find(path))?.size ?? 0);
  for (const { channel, conversation, folder, where } of channels) {
    yield { kind: 'conversation', conversation };
    for (const path of await reader.daysOf(folder)) yield* reader.messages(path, conversation.id);
    yield* pinsOf(channel, where);
  }
}

class SlackReader {
  readonly #source: Source;
  readonly #onBytes: OnBytes;
  readonly #names = new Map<string, string>();
  readonly #channelNames = new Map<string, string>();

  constructor(source: Source, onBytes: OnBytes) {
    this.#source = source;
    this.#onBytes = onBytes;
  }

  async *people(): AsyncGenerator<Item> {
    const entry = await this.#source.find('users.json');
    if (!entry) throw new Error('there is no users.json in it: is this an export of Slack?');
    for await (const { value, where } of readValues(entry, ['$.*'], () => {})) {
      const { id, name, deleted, real_name, profile } = readUser(where, value);
      const shown = profile?.display_name || profile?.real_name || real_name || name || id;
      this.#names.set(id, shown);
      yield {
        kind: 'person',
        person: { id, name: shown, email: profile?.email ?? undefined, isActive: !deleted },
      };
    }
  }

  /** Whichever lists the export has: without special permission, it has public channels alone. */
  async channels(): Promise<
    { channel: Channel; conversation: SourceConversation; folder: string; where: Where }[]
  > {
    const found = [];
    for (const { file, kind } of LISTS) {
      const entry = await this.#source.find(file);
      if (!entry) continue;
      for await (const { value, where } of readValues(entry, ['$.*'], () => {})) {
        const channel = readChannel(where, value);
        const { id, name } = channel;
        this.#channelNames.set(id, name || id);
        // Folders of private conversations have the id as their name.
        const folder = kind === 'private' ? id : name || id;
        found.push({ channel, folder, where, conversation: this.#conversationOf(channel, kind) });
      }
    }
    if (found.length === 0) throw new Error('there is no channels.json in it: is this an export of Slack?');
    return found;
  }

  #conversationOf(channel: Channel, kind: (typeof LISTS)[number]['kind']): SourceConversation {
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
    const entry = await this.#source.find(path);
    if (!entry) return;
    for await (const { value, where } of readValues(entry, ['$.*'], this.#onBytes))
      yield* this.#message(readMessage(where, value), conversationId, where);
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
    const { user, bot_id, username, comment, user_profile: profile, bot_profile } = message;
    const senderId = user || comment?.user || bot_id || username || 'unknown';
    if (!this.#names.has(senderId)) {
      // Guests of other workspaces and bots are not listed.
      const name = profile?.display_name || profile?.real_name || username || bot_profile?.name || senderId;
      this.#names.set(senderId, name);
      yield { kind: 'person', person: { id: senderId, name } };
    }
    const { text, mentions } = this.#textOf(message);
    const found = await this.#filesOf(files ?? (file ? [file] : []), where);
    if (text === '' && found.length === 0) return;
    yield {
      kind: 'message',
      where,
      message: {
        ...positionOf(where, ts),
        conversationId,
        senderId,
        text,
        mentions,
        replyTo: thread_ts && thread_ts !== ts ? positionOf(where, thread_ts) : undefined,
        editedAt: edited ? positionOf(where, edited.ts).at : undefined,
        reactions: given,
        files: found,
      },
    };
  }

  #textOf({ text: told, subtype, attachments, file, comment }: Message): {
    text: string;
    mentions: string[];
  } {
    const mentions = new Set<string>();
    const text = file ? (comment ?? file.initial_comment)?.comment : told;
    const shown = [text, ...(text ? [] : (attachments ?? []).map((one) => one.text || one.fallback))];
    const marked = shown
      .filter(Boolean)
      .join('\n')
      .replace(MENTION, (whole, id: string) => {
        const name = this.#names.get(id);
        if (name === undefined) return whole;
        mentions.add(id);
        return `<@${id}|${name.replace(/[<>|]/g, '')}>`;
      })
      .replace(
        CHANNEL,
        (_, id: string, name = '') => `<#${id}|${name || (this.#channelNames.get(id) ?? id)}>`,
      );
    const translated = withEmoji(fromMrkdwn(marked)).trim();
    return {
      text: subtype === 'me_message' && translated !== '' ? `*${translated}*` : translated,
      mentions: [...mentions],
    };
  }

  /** Slack's own export has no files; tools that complete it put them here. */
  async #filesOf(files: readonly Static<typeof File>[], where: Where): Promise<SourceFile[]> {
    const found: SourceFile[] = [];
    for (const { id, name, title, mode, url_private: url } of files) {
      if (mode === 'tombstone' || mode === 'hidden_by_limit') continue;
      const fileName = name || title || id || 'file';
      const folders = id ? [`__uploads/${id}`, 'attachments'] : ['attachments'];
      const paths = folders.flatMap((folder) => [`${folder}/${fileName}`, `${folder}/${id}-${fileName}`]);
      let path: string | undefined;
      for (const one of paths) path ??= (await findFile(this.#source, one, where))?.path;
      found.push({ name: fileName, path, isLinked: path === undefined && url != null });
    }
    return found;
  }
}

function* pinsOf({ id: conversationId, pins }: Channel, where: Where): Generator<Item> {
  for (const { id, user } of pins ?? [])
    if (/^\d{9,10}\.\d{6}$/.test(id) && user)
      yield { kind: 'pin', conversationId, position: positionOf(where, id), by: user };
}

/** A `ts` is a time in seconds with six decimals, and unique in its conversation. */
function positionOf(where: Where, ts: string): Position {
  const [, seconds, micros] = /^(\d{9,11})\.(\d{6})$/.exec(ts) ?? [];
  const at = requireTime(where, 'ts', seconds === undefined ? Number.NaN : Number(seconds) * 1000);
  const rest = Number(micros);
  return { id: ts, at: at + Math.floor(rest / 1000), order: rest % 1000 };
}
