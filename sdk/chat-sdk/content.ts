import {
  type AdapterPostableMessage,
  type Attachment,
  type Author,
  BaseFormatConverter,
  type CardChild,
  type CardElement,
  convertEmojiPlaceholders,
  isCardElement,
  Message,
  parseMarkdown,
  type RawMessage,
  type Root,
  stringifyMarkdown,
} from 'chat';
import type { Bot } from '../bot.ts';
import type { FileToUpload } from '../conversation-calls.ts';
import { conversationOf, type MessageContent } from '../incoming.ts';
import { splitText } from '../split-text.ts';
import type {
  QuickReply,
  ReceivedGroupMessage,
  ReceivedMessage,
  SentMessage,
  StoredMessage,
} from '../wire.ts';

/** A message as Parley describes it, the `raw` of the toolkit's messages. */
export type ParleyMessage = Received | SentMessage;

/** A message that was just sent. */
export type Sent = RawMessage<ParleyMessage>;

/** A message that has content. */
export type Received = ReceivedMessage | ReceivedGroupMessage | StoredMessage;

/** The name of the adapter, with which every thread id begins. */
export const NAME = 'parley';

/** A thread is a conversation: its id has the person's id, or that of the group. */
export function threadIdOf(conversationId: string): string {
  return `${NAME}:${conversationId}`;
}

/** @throws TypeError for a thread of another platform */
export function conversationIdOf(threadId: string): string {
  const [name, conversationId = ''] = threadId.split(':');
  if (name !== NAME || conversationId === '') throw new TypeError(`${threadId} is no thread of Parley`);
  return conversationId;
}

/** Code, an escape, or an address in angle brackets. */
const ESCAPES = /(`+)[\s\S]*?\1(?!`)|\\([!-/:-@[-`{-~\n])|<([^\s<>]+[:@][^\s<>]+)>/g;

/** Parley's texts are Markdown, with escapes of the marks that Parley knows, and addresses as they are. */
class ParleyFormat extends BaseFormatConverter {
  override toAst(text: string): Root {
    return parseMarkdown(text);
  }

  override fromAst(ast: Root): string {
    return stringifyMarkdown(ast)
      .replace(ESCAPES, (said, _ticks, escaped = '*', address) => {
        return address ?? ('*`~>'.includes(escaped) ? said : escaped);
      })
      .trim();
  }

  protected override cardChildToFallbackText(child: CardChild): string | null {
    return child.type === 'link' ? `[${child.label}](${child.url})` : super.cardChildToFallbackText(child);
  }
}

export const FORMAT = new ParleyFormat();

/** The emoji of the toolkit are names in a text until it is sent. */
export function withEmoji(text: string): string {
  return convertEmojiPlaceholders(text, 'gchat');
}

/** The parts of a message of the toolkit, as they are sent. */
export interface Posted {
  text: string;
  buttons?: QuickReply[];
  files?: MessageContent[];
}

/** A message with a video needs a thumbnail, which the toolkit does not have: it is sent as a document. */
const TYPE_OF = { image: 'image', video: 'doc', audio: 'audio', file: 'doc' } as const;

/** Uploads what is not somewhere already. */
export async function readPosted(message: AdapterPostableMessage, bot: Bot): Promise<Posted> {
  const card = cardOf(message);
  const text = FORMAT.renderPostable(message);
  const files: MessageContent[] = [];
  const upload = async (file: FileToUpload) => {
    const { type, fileUrl } = await bot.upload(file);
    files.push({ type: type === 'video' ? 'doc' : type, fileUrl });
  };
  if (card?.imageUrl) files.push({ type: 'image', fileUrl: card.imageUrl });
  if (card) files.push(...imagesIn(card.children));
  const posted: Posted = { text, buttons: card ? buttonsIn(card.children) : [], files };
  if (typeof message === 'string' || isCardElement(message)) return posted;
  for (const { data, filename } of message.files ?? []) await upload({ data: toBlob(data), name: filename });
  for (const { type, url, name = type, ...file } of 'attachments' in message
    ? (message.attachments ?? [])
    : []) {
    const data = file.data ?? (await file.fetchData?.());
    if (data) await upload({ data: toBlob(data), name, type: TYPE_OF[type] });
    else if (url) files.push({ type: TYPE_OF[type], fileUrl: url });
  }
  return posted;
}

function cardOf(message: AdapterPostableMessage): CardElement | undefined {
  if (typeof message === 'string') return undefined;
  if (isCardElement(message)) return message;
  return 'card' in message ? message.card : undefined;
}

function toBlob(data: Blob | Uint8Array | ArrayBuffer): Blob {
  return data instanceof Blob ? data : new Blob([data as Uint8Array<ArrayBuffer>]);
}

function imagesIn(children: CardElement['children']): MessageContent[] {
  return children.flatMap((child): MessageContent | MessageContent[] => {
    if (child.type === 'section') return imagesIn(child.children);
    return child.type === 'image' ? { type: 'image', fileUrl: child.url } : [];
  });
}

/** The options of a selection become buttons, too. */
function buttonsIn(children: CardElement['children']): QuickReply[] {
  return children.flatMap((child): QuickReply[] => {
    if (child.type === 'section') return buttonsIn(child.children);
    if (child.type !== 'actions') return [];
    return child.children.flatMap((element): QuickReply | QuickReply[] => {
      switch (element.type) {
        case 'button':
          return element.disabled
            ? []
            : { label: withEmoji(element.label), value: writeAction(element.id, element.value) };
        case 'link-button':
          return { label: withEmoji(element.label), url: element.url };
        default:
          return element.options.map(({ label, value }) => ({
            label: withEmoji(label),
            value: writeAction(element.id, value),
          }));
      }
    });
  });
}

/** A text in as many messages as it needs; the last has the buttons. */
export function textsOf(text: string, buttons: QuickReply[] = []): MessageContent[] {
  const parts = splitText(text);
  return parts.map((content, i) => ({
    type: 'text',
    content,
    ...(i === parts.length - 1 && buttons.length > 0 && { quickReplies: { buttons } }),
  }));
}

/** How the toolkit mentions somebody: `thread.mentionUser(userId)`. */
const MENTION = /<@([A-Za-z0-9_-]{1,128})>/g;

/** The text with the names of those whom it mentions, and their ids; of strangers the id stays. */
export async function withNames(said: string, authorOf: (userId: string) => Promise<Author>) {
  const userIds = new Set(Array.from(said.matchAll(MENTION), ([, userId = '']) => userId));
  const known = (await Promise.all([...userIds].map(authorOf))).filter(({ fullName }) => fullName !== '');
  const names = new Map(known.map(({ userId, fullName }) => [userId, `@${fullName}`]));
  const text = said.replace(MENTION, (mention, userId) => names.get(userId) ?? mention);
  return { text, mentionedUserIds: [...names.keys()] };
}

const ACTION_BOUND = '\n';

function writeAction(actionId: string, value: string | undefined): string {
  return value === undefined ? actionId : actionId + ACTION_BOUND + value;
}

/** The action of a pressed button, and its value if it has one. */
export function readAction(written: string): { actionId: string; value?: string } {
  const end = written.indexOf(ACTION_BOUND);
  if (end === -1) return { actionId: written };
  return { actionId: written.slice(0, end), value: written.slice(end + ACTION_BOUND.length) };
}

/** The command of a text such as `/weather@bern_bot today`, unless it is for another bot. */
export function readCommand(text: string, username: string): { command: string; text: string } | undefined {
  const [, command, bot = username, rest = ''] = /^(\/\w+)(?:@(\w+))?(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  return command && bot.toLowerCase() === username.toLowerCase() ? { command, text: rest } : undefined;
}

const ATTACHMENT_OF: Partial<Record<Received['type'], Attachment['type']>> = {
  image: 'image',
  gif: 'image',
  sticker: 'image',
  video: 'video',
  audio: 'audio',
  doc: 'file',
};

export function toMessage(raw: Received, author: Author): Message<ParleyMessage> {
  const { msgId, type, textMsg, caption, fileUrl, poll, location, sentAt } = raw;
  const text = textMsg || (caption ?? poll?.question ?? location?.name ?? '');
  const editedAt = 'editedAt' in raw && raw.editedAt !== undefined ? new Date(raw.editedAt) : undefined;
  const kind = ATTACHMENT_OF[type];
  return new Message<ParleyMessage>({
    id: msgId,
    threadId: threadIdOf(conversationOf(raw)),
    text: FORMAT.extractPlainText(text),
    formatted: FORMAT.toAst(text),
    raw,
    author,
    metadata: { dateSent: new Date(sentAt), edited: editedAt !== undefined, ...(editedAt && { editedAt }) },
    attachments: kind && fileUrl ? [toAttachment(kind, fileUrl)] : [],
    ...('isMentioned' in raw && raw.isMentioned !== undefined && { isMention: raw.isMentioned }),
  });
}

/** Whoever has the link of a file can read it. */
export function toAttachment(type: Attachment['type'], url: string): Attachment {
  return {
    type,
    url,
    fetchData: async () => {
      const answer = await fetch(url);
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
      return answer.arrayBuffer();
    },
  };
}
