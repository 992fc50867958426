import { Type } from 'typebox';
import { PERSON_NAME_LENGTH } from '#contract/accounts.ts';
import { LIMITS } from '#contract/limits.ts';
import { Location } from '#contract/messages.ts';
import { displayName } from '#platform/display-name.ts';
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
import { storable } from './parts.ts';
import { Positions } from './positions.ts';
import { maybe, type Reading, readerOf, texts } from './records.ts';
import { asSent } from './shortcodes.ts';
import { findFile, type Source, type SourceEntry } from './source.ts';
import { mentionsIn, textOf, Written } from './telegram-text.ts';

/** A number in exports of 2020. */
const PersonId = maybe(Type.Union([Type.String(), Type.Number()]));

const readMessage = readerOf(
  Type.Object({
    ...Written.properties,
    id: Type.Number(),
    type: Type.String(),
    ...texts('action', 'date', 'date_unixtime', 'edited', 'edited_unixtime', 'from', 'forwarded_from'),
    ...texts('photo', 'file', 'file_name', 'media_type', 'place_name', 'address', 'reply_to_peer_id'),
    from_id: PersonId,
    actor_id: PersonId,
    message_id: maybe(Type.Number()),
    reply_to_message_id: maybe(Type.Number()),
    location_information: maybe(Type.Pick(Location, ['latitude', 'longitude'])),
    reactions: maybe(
      Type.Array(
        Type.Object({
          type: Type.String(),
          ...texts('emoji'),
          recent: maybe(Type.Array(Type.Object(texts('from_id', 'from')))),
        }),
      ),
    ),
  }),
);
type Message = ReturnType<typeof readMessage>;

/** Kinds of chat that are private conversations; all others are groups. */
const PRIVATE = new Set(['personal_chat', 'bot_chat', 'saved_messages', 'verify_codes', 'replies']);
/** Where a file was not exported, its field says so in brackets. */
const MISSING = /^\(/;

const FIELDS = ['name', 'type', 'id', 'messages.*'];
const PATHS = [
  '$.personal_information.user_id',
  ...['$', '$.chats.list.*', '$.left_chats.list.*'].flatMap((chat) =>
    FIELDS.map((field) => `${chat}.${field}`),
  ),
];

/** Reads the JSON export of a chat or an account: `result.json`, or the archive or folder that has it, with its files. */
export async function* readTelegram(source: Source, { expect, onBytes }: Reading): AsyncGenerator<Item> {
  const entry = await source.find(source.main ?? 'result.json');
  if (!entry) throw new Error('there is no result.json in it: is this a JSON export of Telegram?');
  expect(entry.size);
  const reader = new TelegramReader(source, await findOwner(entry));
  for await (const { value, keys, where } of readValues(entry, PATHS, onBytes)) {
    // Of a later version than the program that wrote the export: an id alone.
    if ((value as { type?: unknown } | null)?.type === 'unsupported')
      yield { kind: 'left-out', what: 'messages with nothing to show' };
    else if (keys.at(-2) === 'messages') yield* reader.message(readMessage(where, value), where);
    else if (keys.at(-1) !== 'user_id') reader.header(String(keys.at(-1)), value, where);
  }
  if (!reader.hasChats)
    throw new ExportError(
      { path: entry.path, line: 1 },
      'there are no chats in it: is this a JSON export of Telegram?',
    );
}

/** The export of a private chat names only the other side: its owner is the first who is not that. */
async function findOwner(entry: SourceEntry): Promise<string | undefined> {
  let peer: string | undefined;
  const paths = ['$.personal_information.user_id', '$.type', '$.id', '$.messages.*'];
  for await (const { value, keys } of readValues(entry, paths, () => {})) {
    if (keys.at(-1) === 'user_id') return `user${value}`;
    if (keys.at(-1) === 'type' && !PRIVATE.has(String(value))) return undefined;
    if (keys.at(-1) === 'id') peer = `user${value}`;
    const from = keys[0] === 'messages' ? personIdOf((value as { from_id?: unknown }).from_id) : undefined;
    if (from !== undefined && from !== peer) return from;
  }
  return undefined;
}

/** A chat, once its first message has been read. */
interface Chat {
  conversation: SourceConversation;
  isShown: boolean;
  positions: Positions;
}

class TelegramReader {
  readonly #source: Source;
  readonly #owner: string | undefined;
  readonly #known = new Set<string>();
  #header: { name?: string; type?: string } = {};
  #chat: Chat | undefined;
  hasChats = false;

  constructor(source: Source, owner: string | undefined) {
    this.#source = source;
    this.#owner = owner;
  }

  /** Name, type and id of a chat come before its messages. */
  header(field: string, value: unknown, where: Where): void {
    if (field === 'name') this.#header = { name: typeof value === 'string' ? value : '' };
    else if (field === 'type') this.#header.type = String(value);
    else if (field === 'id') this.#begin(String(value), where);
  }

  #begin(id: string, where: Where): void {
    const { name = '', type } = this.#header;
    if (type === undefined) throw new ExportError(where, 'this chat has no type before its id');
    const isPrivate = PRIVATE.has(type);
    // Ids are unique among each of these alone.
    const of = isPrivate ? 'user' : type === 'private_group' ? 'chat' : 'channel';
    const members = new Map<string, boolean>();
    const peer = type === 'saved_messages' ? undefined : `user${id}`;
    for (const one of isPrivate ? [this.#owner, peer] : [this.#owner]) if (one) members.set(one, !isPrivate);
    this.#chat = {
      conversation: {
        id: `${of}${id}`,
        kind: isPrivate ? 'private' : 'group',
        name: name || (isPrivate ? 'Saved messages' : 'Deleted chat'),
        members,
      },
      isShown: false,
      positions: new Positions(),
    };
    this.hasChats = true;
    if (isPrivate && peer && name) this.#names.set(peer, name);
    this.#header = {};
  }

  readonly #names = new Map<string, string>();

  async *message(message: Message, where: Where): AsyncGenerator<Item> {
    const chat = this.#chat;
    if (!chat) throw new ExportError(where, 'a chat has to begin with its name, type and id');
    const { conversation, positions } = chat;
    const { type, action, from, reply_to_message_id, reply_to_peer_id, reactions } = message;
    const position = positionOf(message, where);
    if (type === 'service') {
      const pinned = action === 'pin_message' ? positions.find(message.message_id) : undefined;
      const by = personIdOf(message.actor_id);
      if (pinned && by) yield { kind: 'pin', conversationId: conversation.id, position: pinned, by };
      else yield { kind: 'left-out', what: 'service messages' };
      return;
    }
    if (type !== 'message')
      throw new ExportError(where, `there is no type ${JSON.stringify(type)} in an export of Telegram`);
    if (message.date_unixtime == null) yield { kind: 'left-out', what: 'times without a time zone' };
    const senderId = personIdOf(message.from_id) ?? 'unknown';
    yield* this.#meet(senderId, from ?? this.#names.get(senderId) ?? 'Deleted account');
    if (conversation.kind === 'group' && !conversation.members.has(senderId) && senderId.startsWith('user'))
      conversation.members.set(senderId, false);
    const given = [];
    for (const { type: kind, emoji, recent } of reactions ?? [])
      for (const one of recent ?? []) {
        if (!one.from_id) continue;
        yield* this.#meet(one.from_id, one.from ?? 'Deleted account');
        const sent = kind === 'emoji' && emoji ? asSent(emoji) : undefined;
        if (sent !== undefined) given.push({ emoji: sent, personId: one.from_id });
        else yield { kind: 'left-out', what: 'reactions with emoji of their own' };
      }
    if (message.poll) yield { kind: 'left-out', what: 'polls' };
    if (!chat.isShown) {
      chat.isShown = true;
      for (const id of conversation.members.keys()) yield* this.#meet(id, this.#names.get(id) ?? id);
      yield { kind: 'conversation', conversation };
    }
    positions.add(message.id, position.at);
    const text = textOf(message).trim();
    const files = await this.#filesOf(message, where);
    const isEdited = (message.edited_unixtime ?? message.edited) != null;
    const editedAt = timeOf(message.edited_unixtime, message.edited);
    const location = placeOf(message);
    if (text === '' && files.length === 0 && !location)
      return yield { kind: 'left-out', what: 'messages with nothing to show' };
    yield {
      kind: 'message',
      where,
      message: {
        ...position,
        conversationId: conversation.id,
        senderId,
        text,
        mentions: mentionsIn(message),
        forwardedFrom: forwardedFrom(message),
        // A message of another chat has an id of its own there.
        replyTo: reply_to_peer_id ? undefined : positions.find(reply_to_message_id),
        // Exports of 2020 have 1970 for what was not edited.
        editedAt: isEdited && !(editedAt <= position.at) ? requireTime(where, 'edited', editedAt) : undefined,
        reactions: given,
        files,
        location,
      },
    };
  }

  /** The names of people come with what they write. */
  *#meet(id: string, name: string): Generator<Item> {
    if (this.#known.has(id)) return;
    this.#known.add(id);
    yield { kind: 'person', person: { id, name } };
  }

  async #filesOf({ photo, file, file_name, media_type }: Message, where: Where): Promise<SourceFile[]> {
    const given = file ?? photo;
    if (given == null) return [];
    const name =
      file_name ||
      (MISSING.test(given) ? (photo ? 'photo.jpg' : 'file') : (given.split('/').at(-1) ?? 'file'));
    if (MISSING.test(given)) return [{ name }];
    await findFile(this.#source, given, where);
    return [{ name, path: given, isSticker: media_type === 'sticker' }];
  }
}

function personIdOf(id: unknown): string | undefined {
  if (typeof id === 'number') return `user${id}`;
  return typeof id === 'string' ? id : undefined;
}

function placeOf({ location_information: point, place_name: name, address }: Message) {
  const short = (text: string) => [...storable(text)].slice(0, LIMITS.locationNameLength).join('');
  return point
    ? {
        latitude: point.latitude,
        longitude: point.longitude,
        ...(name && { name: short(name) }),
        ...(address && { address: short(address) }),
      }
    : undefined;
}

/** Somebody who has deleted the account has no name. */
function forwardedFrom({ forwarded_from: name }: Message): { name?: string } | undefined {
  if (name === undefined) return undefined;
  const shown = displayName(name ?? '', PERSON_NAME_LENGTH);
  return shown === undefined ? {} : { name: shown };
}

/** Exports until 2022 have local times alone, and not their zone. */
function timeOf(unixtime: string | null | undefined, local: string | null | undefined): number {
  return unixtime == null ? Date.parse(`${local}Z`) : Number(unixtime) * 1000;
}

function positionOf({ id, date, date_unixtime }: Message, where: Where): Position {
  const at = requireTime(where, 'date', timeOf(date_unixtime, date));
  return { id: String(id), at, order: Math.max(id, 0) };
}
