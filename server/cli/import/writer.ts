import { LIMITS } from '#contract/limits.ts';
import { literal } from '#features/incoming-webhooks/index.ts';
import {
  dropMissingQuotes,
  findImported,
  type ImportedMessage,
  importMessages,
} from '#features/messages/index.ts';
import type { Database } from '#platform/database.ts';
import type { Shards } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import type { Conversations, Target } from './conversations.ts';
import { ExportError, type Item, type SourceMessage, type Where } from './items.ts';
import { idOfPart, type Part, partsOf } from './parts.ts';
import type { People } from './people.ts';
import { keepFile, type UploadDeps } from './uploads.ts';

type Deps = Pick<Platform, 'clock' | 'keyring'> & { db: Database; shards: Shards };

interface Writing extends UploadDeps {
  /** The name of the export in ids. */
  name: string;
  people: People;
  conversations: Conversations;
}

const MESSAGES_AT_ONCE = 2_048;
const OTHERS_AT_ONCE = 10_000;
/** How much later than now a message may be: clocks differ, and some exports have local times. */
const AHEAD_MS = 24 * 3_600_000;

interface Batch {
  people: Extract<Item, { kind: 'person' }>['person'][];
  conversations: Extract<Item, { kind: 'conversation' }>['conversation'][];
  messages: { message: SourceMessage; where: Where }[];
  pins: Omit<Extract<Item, { kind: 'pin' }>, 'kind'>[];
}

const nothing = (): Batch => ({ people: [], conversations: [], messages: [], pins: [] });

/** A part of a message on its way into the database. */
interface Draft extends ImportedMessage {
  part: Part;
  where: Where;
  target: Target;
}

/** Writes what a reader finds, in batches: while one is written, the next is read. */
export class HistoryWriter {
  readonly #deps: Deps;
  readonly #to: Writing;
  #batch = nothing();
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: Deps, to: Writing) {
    this.#deps = deps;
    this.#to = to;
  }

  async add(item: Item): Promise<void> {
    const { people, conversations, messages, pins } = this.#batch;
    switch (item.kind) {
      case 'person':
        people.push(item.person);
        break;
      case 'conversation':
        conversations.push(item.conversation);
        break;
      case 'message':
        messages.push(item);
        break;
      case 'pin':
        pins.push(item);
        break;
      case 'left-out':
        this.#to.report.count(item.what);
        return;
      default:
        item satisfies never;
    }
    if (messages.length >= MESSAGES_AT_ONCE || people.length + pins.length >= OTHERS_AT_ONCE)
      await this.#flush();
  }

  /** Writes what is left. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#writing;
  }

  async #flush(): Promise<void> {
    await this.#writing;
    const batch = this.#batch;
    this.#batch = nothing();
    this.#writing = this.#write(batch);
    // It is thrown by the next call.
    this.#writing.catch(() => undefined);
  }

  async #write(batch: Batch): Promise<void> {
    const { messages, pins } = batch;
    const { people, conversations } = this.#to;
    await people.resolve(batch.people);
    await people.resolve(strangersIn(batch, people));
    await conversations.add(batch.conversations);
    const drafts = await this.#withoutMissingQuotes(messages.flatMap((one) => this.#draftsOf(one)));
    await this.#keepFiles(drafts);
    await this.#store(drafts);
    for (const pin of pins) this.#pin(pin);
  }

  #draftsOf({ message, where }: Batch['messages'][number]): Draft[] {
    const { people, conversations, report, name } = this.#to;
    // All that people write until then would come before it, and count as read.
    if (message.at > this.#deps.clock.now() + AHEAD_MS)
      throw new ExportError(where, 'the message is from the future');
    const target = conversations.of(message.conversationId);
    if (!target)
      throw new ExportError(where, `the conversation ${message.conversationId} is not in the export`);
    if (target.isClosed) {
      report.count('messages of conversations deleted here');
      return [];
    }
    const { conversationId, bucket } = target;
    const senderId = people.of(message.senderId).accountId;
    conversations.addAuthor(target, message.senderId);
    const idOf = (position: { id: string; at: number; order: number }, part: number) =>
      idOfPart(name, target.source.id, position, part);
    const parts = partsOf(message, report);
    const drafts = parts.map((part): Draft => {
      const isFirst = part.part === 0;
      const msgId = idOf(message, part.part);
      return {
        bucket,
        conversationId,
        msgId,
        senderId,
        sentAt: message.at,
        content: {
          ...contentOf(part),
          replyToMsgId: isFirst && message.replyTo ? idOf(message.replyTo, 0) : undefined,
        },
        reactions: isFirst ? this.#reactionsOf(message) : [],
        part,
        where,
        target,
      };
    });
    const mentionedUserIds = this.#mentionedIn(message, target);
    for (const { content } of drafts) {
      if (mentionedUserIds.length > 0) content.body.mentionedUserIds = mentionedUserIds;
      if (message.editedAt !== undefined) content.body.editedAt = message.editedAt;
      if (message.forwardedFrom) content.body.forwardedFrom = message.forwardedFrom;
    }
    if (message.isPinned) this.#pin({ ...message, position: message, by: message.senderId });
    // Not every export is in the order of time.
    target.firstAt = Math.min(target.firstAt ?? message.at, message.at);
    target.wroteAt.set(senderId, Math.min(target.wroteAt.get(senderId) ?? message.at, message.at));
    for (const { msgId } of drafts)
      if (target.lastMsgId === undefined || msgId > target.lastMsgId) target.lastMsgId = msgId;
    return drafts;
  }

  #mentionedIn({ mentions = [] }: SourceMessage, { kind }: Target): string[] {
    if (kind === 'private') return [];
    const { owners } = this.#to.people;
    return [...new Set(mentions.flatMap((id) => owners.get(id)?.accountId ?? []))].slice(0, LIMITS.mentions);
  }

  #reactionsOf({ reactions = [] }: SourceMessage): ImportedMessage['reactions'] {
    const { people, report } = this.#to;
    const given = new Map<string, Set<string>>();
    for (const { emoji, personId } of reactions) {
      const userIds = given.get(emoji) ?? new Set();
      given.set(emoji, userIds.add(people.of(personId).accountId));
    }
    const kept = [...given].slice(0, LIMITS.reactionsPerMessage);
    report.count(
      'reactions',
      kept.reduce((count, [, userIds]) => count + userIds.size, 0),
    );
    return kept.map(([emoji, userIds]) => ({ emoji, userIds: [...userIds] }));
  }

  #pin({ conversationId, position, by }: Batch['pins'][number]): void {
    const { name, conversations, people, report } = this.#to;
    const target = conversations.of(conversationId);
    if (!target) return;
    report.count('pinned messages');
    const msgId = idOfPart(name, conversationId, position, 0);
    target.pins.push({ msgId, by: people.of(by).accountId, at: position.at });
  }

  /** A quote needs its message. */
  async #withoutMissingQuotes(drafts: Draft[]): Promise<Draft[]> {
    // In a dry run nothing is here yet.
    if (!this.#to.isDry)
      this.#to.report.count('quotes of missing messages', await dropMissingQuotes(this.#deps, drafts));
    return drafts;
  }

  /** Stores the files of new messages. */
  async #keepFiles(drafts: readonly Draft[]): Promise<void> {
    const withFile = drafts.filter(({ part }) => part.file);
    const here = await findImported(this.#deps, withFile);
    for (const draft of withFile) if (!here.has(draft.msgId)) await keepFile(this.#to, draft);
  }

  async #store(drafts: readonly Draft[]): Promise<void> {
    if (drafts.length === 0) return;
    const { report, media, isDry } = this.#to;
    const fresh = isDry
      ? await this.#missing(drafts)
      : await this.#deps.db.begin(async (tx) => {
          const stored = await importMessages(tx, this.#deps, drafts);
          for (const { msgId, content } of drafts)
            if (content.body.fileUrl && stored.has(msgId))
              await media.use(tx, { url: content.body.fileUrl, usedBy: msgId });
          return stored;
        });
    report.count('messages', fresh.size);
    report.count('messages that are here', drafts.length - fresh.size);
  }

  async #missing(drafts: readonly Draft[]): Promise<Set<string>> {
    const here = await findImported(this.#deps, drafts);
    return new Set(drafts.flatMap(({ msgId }) => (here.has(msgId) ? [] : msgId)));
  }
}

/** People whom an export names without saying who they are. */
function strangersIn(
  { conversations, messages, pins }: Omit<Batch, 'people'>,
  { owners }: People,
): { id: string; name: string }[] {
  const named = new Set(
    conversations.flatMap(({ members, creatorId }) => [...members.keys(), creatorId ?? '']),
  );
  for (const { by } of pins) named.add(by);
  for (const { message } of messages) {
    named.add(message.senderId);
    for (const { personId } of message.reactions ?? []) named.add(personId);
  }
  named.delete('');
  return [...named].flatMap((id) => (owners.has(id) ? [] : { id, name: id }));
}

/** Until its file is stored, a message with a file is a text that names it. */
function contentOf({ text, file, location }: Part): Pick<ImportedMessage['content'], 'type' | 'body'> {
  if (location) return { type: 'location', body: { location } };
  if (!file) return { type: 'text', body: { content: text } };
  const name = `📎 ${literal(file.name)}`;
  return { type: 'text', body: { content: text === '' ? name : `${text}\n${name}` } };
}
