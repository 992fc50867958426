import { type Static, Type } from 'typebox';
import {
  ExportError,
  type Item,
  requireTime,
  type SourceConversation,
  type SourceMessage,
  type Where,
} from './items.ts';
import { attachmentText, fromMattermost, Props, textIn } from './mattermost-text.ts';
import { maybe, type Reading, readerOf, readLines, texts } from './records.ts';
import { emojiNamed } from './shortcodes.ts';
import { findFile, type Source, type SourceEntry } from './source.ts';

const Time = Type.Number();
const Reactions = maybe(Type.Array(Type.Object({ user: Type.String(), emoji_name: Type.String() })));
const Attachments = maybe(Type.Array(Type.Object({ path: Type.String() })));

const said = {
  user: Type.String(),
  ...texts('message', 'type'),
  create_at: Time,
  edit_at: maybe(Time),
  props: maybe(Props),
  reactions: Reactions,
  attachments: Attachments,
  is_pinned: maybe(Type.Boolean()),
};
const Said = Type.Object(said);
const Thread = Type.Object({ ...said, replies: maybe(Type.Array(Said)) });

/** The lines of a bulk export by their type (docs.mattermost.com, "Bulk loading data"). */
const READERS = {
  team: readerOf(Type.Object({ name: Type.String(), ...texts('display_name') })),
  channel: readerOf(
    Type.Object({
      team: Type.String(),
      name: Type.String(),
      ...texts('display_name', 'header', 'purpose'),
      deleted_at: maybe(Time),
    }),
  ),
  user: readerOf(
    Type.Object({
      username: Type.String(),
      ...texts('email', 'nickname', 'first_name', 'last_name'),
      delete_at: maybe(Time),
      teams: maybe(
        Type.Array(
          Type.Object({
            name: Type.String(),
            channels: maybe(Type.Array(Type.Object({ name: Type.String(), ...texts('roles') }))),
          }),
        ),
      ),
    }),
  ),
  bot: readerOf(Type.Object({ username: Type.String(), ...texts('display_name') })),
  post: readerOf(Type.Object({ ...Thread.properties, team: Type.String(), channel: Type.String() })),
  direct_channel: readerOf(
    Type.Object({
      members: maybe(Type.Array(Type.String())),
      participants: maybe(Type.Array(Type.Object({ username: Type.String() }))),
    }),
  ),
  direct_post: readerOf(Type.Object({ ...Thread.properties, channel_members: Type.Array(Type.String()) })),
};
const readLine = readerOf(Type.Object({ type: Type.String() }));

type Said = Static<typeof Said>;
type Thread = Static<typeof Thread>;

/** Reads a bulk export: its JSONL file, or the archive or folder that has it, with its attachments. */
export async function* readMattermost(source: Source, { expect, onBytes }: Reading): AsyncGenerator<Item> {
  const entry = await findLines(source);
  expect(entry.size);
  const reader = new MattermostReader(source);
  const begins = 'a bulk export of Mattermost begins with its version';
  let isBegun = false;
  for await (const { value, where } of readLines(entry, onBytes)) {
    const { type } = readLine(where, value);
    if (!isBegun && type !== 'version') throw new ExportError(where, begins);
    isBegun = true;
    yield* reader.read(type, (value as Record<string, unknown>)[type], where);
  }
  if (!isBegun) throw new ExportError({ path: entry.path, line: 1 }, begins);
  // There may be no posts.
  yield* reader.begun();
}

async function findLines(source: Source): Promise<SourceEntry> {
  const name = source.main ?? (await source.list('')).find((one) => one.endsWith('.jsonl'));
  const entry = name === undefined ? undefined : await source.find(name);
  if (!entry) throw new Error('there is no .jsonl file in it: is this a bulk export of Mattermost?');
  return entry;
}

class MattermostReader {
  readonly #source: Source;
  readonly #teams = new Map<string, string>();
  readonly #channels = new Map<string, SourceConversation>();
  readonly #names = new Map<string, string>();
  #pending: SourceConversation[] = [];

  constructor(source: Source) {
    this.#source = source;
  }

  async *read(type: string, value: unknown, where: Where): AsyncGenerator<Item> {
    switch (type) {
      case 'version':
        return;
      case 'role':
      case 'scheme':
        yield { kind: 'left-out', what: 'roles and schemes' };
        return;
      case 'emoji':
        yield { kind: 'left-out', what: 'emoji of their own' };
        return;
      case 'team': {
        const { name, display_name } = READERS.team(where, value);
        this.#teams.set(name, display_name || name);
        return;
      }
      case 'channel':
        this.#addChannel(READERS.channel(where, value));
        return;
      case 'user':
        yield this.#person(READERS.user(where, value), where);
        return;
      case 'bot': {
        const { username, display_name } = READERS.bot(where, value);
        yield this.#named(username, display_name || username, { isActive: true });
        return;
      }
      case 'direct_channel': {
        const { members, participants } = READERS.direct_channel(where, value);
        yield* this.#direct(members ?? participants?.map(({ username }) => username) ?? []);
        return;
      }
      case 'post': {
        const post = READERS.post(where, value);
        yield* this.begun();
        yield* this.#thread(`${post.team}/${post.channel}`, post, where);
        return;
      }
      case 'direct_post': {
        const post = READERS.direct_post(where, value);
        yield* this.#direct(post.channel_members);
        yield* this.begun();
        yield* this.#thread(directId(post.channel_members), post, where);
        return;
      }
      default:
        // Of a later version, or of a plugin.
        yield { kind: 'left-out', what: 'lines of other types' };
    }
  }

  #addChannel(channel: ReturnType<(typeof READERS)['channel']>): void {
    const { team, name, display_name, purpose, header, deleted_at } = channel;
    const title = display_name || name;
    const conversation: SourceConversation = {
      id: `${team}/${name}`,
      kind: 'group',
      name: this.#teams.size > 1 ? `${title} (${this.#teams.get(team) ?? team})` : title,
      description: [purpose, header].filter(Boolean).join(' · '),
      isArchived: Boolean(deleted_at),
      members: new Map(),
    };
    this.#channels.set(conversation.id, conversation);
    this.#pending.push(conversation);
  }

  #person(user: ReturnType<(typeof READERS)['user']>, where: Where): Item {
    const { username, email, nickname, first_name, last_name, delete_at, teams } = user;
    for (const team of teams ?? [])
      for (const { name, roles } of team.channels ?? []) {
        const channel = this.#channels.get(`${team.name}/${name}`);
        if (!channel) throw new ExportError(where, `the channel ${team.name}/${name} is not in the export`);
        channel.members.set(username, /\bchannel_admin\b/.test(roles ?? ''));
      }
    const name = [first_name, last_name].filter(Boolean).join(' ') || nickname || username;
    return this.#named(username, name, { email: email ?? undefined, isActive: !delete_at });
  }

  #named(id: string, name: string, more: { email?: string | undefined; isActive: boolean }): Item {
    this.#names.set(id, name);
    return { kind: 'person', person: { id, name, ...more } };
  }

  /** Channels are complete once all users were read. */
  *begun(): Generator<Item> {
    for (const conversation of this.#pending) yield { kind: 'conversation', conversation };
    this.#pending = [];
  }

  *#direct(members: readonly string[]): Generator<Item> {
    const id = directId(members);
    if (this.#channels.has(id)) return;
    const people = [...new Set(members)];
    const conversation: SourceConversation = {
      id,
      kind: people.length > 2 ? 'group' : 'private',
      name: people.map((one) => this.#names.get(one) ?? one).join(', '),
      // Each of a few people may change what belongs to all of them.
      members: new Map(people.map((one) => [one, people.length > 2])),
    };
    this.#channels.set(id, conversation);
    yield { kind: 'conversation', conversation };
  }

  async *#thread(conversationId: string, post: Thread, where: Where): AsyncGenerator<Item> {
    const root = yield* this.#message(conversationId, post, where, undefined);
    for (const reply of post.replies ?? []) yield* this.#message(conversationId, reply, where, root);
  }

  async *#message(
    conversationId: string,
    post: Said,
    where: Where,
    replyTo: SourceMessage | undefined,
  ): AsyncGenerator<Item, SourceMessage | undefined> {
    const { user, props, create_at, edit_at, type, reactions, attachments, is_pinned } = post;
    const at = requireTime(where, 'create_at', create_at);
    if (type?.startsWith('system_')) {
      yield { kind: 'left-out', what: 'service messages' };
      return undefined;
    }
    const given = [];
    for (const { user: personId, emoji_name } of reactions ?? []) {
      const emoji = emojiNamed(emoji_name);
      if (emoji === undefined) yield { kind: 'left-out', what: 'reactions with emoji of their own' };
      else given.push({ emoji, personId });
    }
    const written = (post.message ?? '').trim();
    const attached = attachmentText(props);
    const text = [written, attached].filter(Boolean).join('\n\n');
    if (text === '' && !attachments?.length) {
      yield { kind: 'left-out', what: 'messages with nothing to show' };
      return undefined;
    }
    const { text: translated, mentions } = fromMattermost(text, this.#names);
    const senderId = yield* this.#author(conversationId, post);
    const message: SourceMessage = {
      // A bulk export has no ids, and Mattermost too tells posts apart by these.
      id: `${user}:${written || attached}`,
      at,
      order: 0,
      conversationId,
      senderId,
      text: translated,
      mentions,
      replyTo: replyTo && { id: replyTo.id, at: replyTo.at, order: 0 },
      editedAt: edit_at ? requireTime(where, 'edit_at', edit_at) : undefined,
      isPinned: is_pinned ?? undefined,
      reactions: given,
      files: await Promise.all((attachments ?? []).map(({ path }) => this.#file(path, where))),
    };
    yield { kind: 'message', message, where };
    return message;
  }

  /** The user of a webhook’s post is whoever made the webhook; it is shown under a name of its own. */
  *#author(conversationId: string, { user, props }: Said): Generator<Item, string> {
    const isPrivate = this.#channels.get(conversationId)?.kind === 'private';
    if (textIn(props, 'from_webhook') !== 'true' || isPrivate) return user;
    const name = textIn(props, 'override_username') || textIn(props, 'webhook_display_name') || 'webhook';
    const id = `webhook:${name}`;
    if (!this.#names.has(id)) yield this.#named(id, name, { isActive: true });
    return id;
  }

  /** In an archive attachments are under `data/`. */
  async #file(path: string, where: Where) {
    const name = path.split('/').at(-1) ?? path;
    const find = (one: string) => findFile(this.#source, one, where);
    return { name, path: ((await find(path)) ?? (await find(`data/${path}`)))?.path };
  }
}

function directId(members: readonly string[]): string {
  return `direct:${[...new Set(members)].toSorted().join(',')}`;
}
