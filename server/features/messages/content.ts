import type { Static } from 'typebox';
import type { ForwardedFrom, Notice, Peer } from '#contract/chat.ts';
import type { SendGroupMessage } from '#contract/groups.ts';
import type { ContentType, FileDetails, Location, QuickReplies, SentContent } from '#contract/messages.ts';
import type { EventPoll } from '#contract/webhooks/events.ts';
import type { CachedKey, DeliveryApplication } from '#features/applications/index.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { Config } from '#platform/config.ts';
import type { Keyring, SealingContext } from '#platform/crypto/keyring.ts';
import { openSealed, sealed } from '#platform/crypto/sealed-body.ts';
import type { Tx } from '#platform/database.ts';
import { invalidArgument } from '#platform/errors.ts';
import { publicFileUrl, requireFileUrl } from '#platform/files/upload-links.ts';
import type { MessageRow, NewRow } from './queries.ts';

/** The content of a message, as it is sealed in the database. Fields that were not sent are missing. */
export interface MessageBody {
  content?: string;
  fileUrl?: string;
  thumbnailUrl?: string;
  caption?: string;
  /** As people's clients sent it. */
  fileDetails?: FileDetails;
  location?: Static<typeof Location>;
  poll?: EventPoll;
  /** In groups. Missing when nobody is mentioned. */
  mentionedUserIds?: string[];
  /** Of a notice about the group. */
  notice?: Notice;
  /** The original author of a forwarded message. */
  forwardedFrom?: ForwardedFrom;
  /** The buttons of a bot's message, unless one was pressed that works once. */
  quickReplies?: QuickReplies;
  /** Of an answer that a button wrote. */
  quickReplyValue?: string;
  /** When it was last edited. */
  editedAt?: number;
  /** Who deleted it for everybody; the other fields are then missing. */
  deletedBy?: string;
}

/** A message that is ready to be checked and stored. */
export interface MessageContent {
  type: ContentType | 'poll';
  body: MessageBody;
  replyToMsgId: string | undefined;
}

/** The content of a message as it is stored: notices and deleted messages have types of their own. */
export interface StoredContent extends Omit<MessageContent, 'type'> {
  type: MessageContent['type'] | 'notice' | 'deleted';
}

/**
 * Takes validated content out of a request body.
 *
 * @throws ApiError 400 naming the field when a URL is not public https
 */
export function readContent(sent: SentContent): MessageContent {
  const body: MessageBody = {};
  if (sent.content != null) body.content = sent.content;
  if (sent.fileUrl != null) body.fileUrl = requireFileUrl('fileUrl', sent.fileUrl);
  if (sent.thumbnailUrl != null) body.thumbnailUrl = requireFileUrl('thumbnailUrl', sent.thumbnailUrl);
  if (sent.caption != null) body.caption = sent.caption;
  if (sent.location != null) body.location = readLocation(sent.location);
  if (sent.quickReplies != null) body.quickReplies = readQuickReplies(sent.quickReplies);
  return { type: sent.type, body, replyToMsgId: sent.replyToMsgId ?? undefined };
}

function readQuickReplies({ buttons, once, mentionedOnly }: QuickReplies): QuickReplies {
  return {
    buttons: buttons.map(({ label, value, url }, i) => {
      if (url == null) return { label, ...(value != null && { value }) };
      if (value != null) throw invalidArgument(`quickReplies.buttons.${i}.value`, 'not-with-url');
      return { label, url: requireFileUrl(`quickReplies.buttons.${i}.url`, url) };
    }),
    ...(once && { once }),
    ...(mentionedOnly && { mentionedOnly }),
  };
}

/** Keeps the details of a file that a person's client sent; the schema has checked which type has which. */
export function withFileDetails(
  content: MessageContent,
  { albumId, durationMs, waveform, width, height, size }: FileDetails,
): MessageContent {
  const fileDetails = withoutAbsent({ albumId, durationMs, waveform, width, height, size });
  if (Object.keys(fileDetails).length === 0) return content;
  return { ...content, body: { ...content.body, fileDetails } };
}

/** The same for a message to a group. */
export function readGroupContent(
  sent: SentContent & Pick<SendGroupMessage, 'mentionedUserIds'>,
): MessageContent {
  const content = readContent(sent);
  // Repeated mentions count once; an empty list is stored as none.
  const mentionedUserIds = [...new Set(sent.mentionedUserIds)];
  if (mentionedUserIds.length > 0) content.body.mentionedUserIds = mentionedUserIds;
  return content;
}

/** A message as bots receive it: uploads as links to this server. */
export function publicContent(
  config: Pick<Config, 'publicUrl' | 'port'>,
  content: MessageContent,
): MessageContent {
  const { fileUrl, thumbnailUrl, ...body } = content.body;
  return {
    ...content,
    body: {
      ...body,
      ...(fileUrl && { fileUrl: publicFileUrl(config, fileUrl) }),
      ...(thumbnailUrl && { thumbnailUrl: publicFileUrl(config, thumbnailUrl) }),
    },
  };
}

function readLocation({
  latitude,
  longitude,
  name,
  address,
}: Static<typeof Location>): Static<typeof Location> {
  return withoutAbsent({ latitude, longitude, name, address });
}

/** Where a message goes, who sends it, and when. */
export interface NewMessage {
  bucket: number;
  conversationId: string;
  msgId: string;
  senderId: string;
  /** The sender as others see them, if that was read with the session. */
  sender?: Peer | undefined;
  content: MessageContent;
  sentAt: number;
  /** The recipient of a bot's message, and the bot's key if it has not been looked up for this request. */
  recipientId?: string | undefined;
  cachedKey?: CachedKey | undefined;
}

/** A message to be written, and the consequences if it is new. */
export interface Draft extends Omit<NewMessage, 'sentAt'> {
  kind: 'private' | 'group';
  /** On whose open pages it is shown: people, or a group. */
  topics: readonly string[];
  /** Bots that get an event of it. */
  receivers: readonly EventReceiver[];
  /** Further writes in the same transaction. */
  extraWrites?: ExtraWrites | undefined;
}

export type ExtraWrites = (tx: Tx, message: NewMessage) => Promise<void>;

/** A bot that may receive a message, and whether its application receives events, if that was just read. */
export interface EventReceiver extends Partial<Pick<DeliveryApplication, 'state' | 'hasWebhookUrl'>> {
  accountId: string;
  botAppId: string;
  /** It gets only what concerns it in groups; undefined if that was not read. */
  isQuiet?: boolean;
}

/** The row of a new message, its body sealed. */
export function toMessageRow(
  keyring: Keyring,
  {
    bucket,
    conversationId,
    msgId,
    senderId,
    content,
    sentAt,
    recipientId,
    cachedKey,
  }: Omit<NewMessage, 'content'> & { content: StoredContent },
): NewRow {
  return {
    bucket,
    conversationId,
    msgId,
    senderId,
    sentAt,
    type: content.type,
    ...sealed(keyring, contextOf(msgId), content.body),
    replyToMsgId: content.replyToMsgId ?? null,
    recipientId,
    cachedKey,
  };
}

/** A stored message with another body. */
export function withBody(keyring: Keyring, row: MessageRow, body: MessageBody): MessageRow {
  return { ...row, ...sealed(keyring, contextOf(row.msgId), body) };
}

type SealedBody = Pick<MessageRow, 'msgId' | 'body' | 'bodyKeyId'>;

/** @throws UnreadableError */
export function openBody(keyring: Keyring, { msgId, body, bodyKeyId }: SealedBody): MessageBody {
  return JSON.parse(keyring.open(contextOf(msgId), { keyId: bodyKeyId, ciphertext: body }).toString());
}

/** For displaying a message: undefined if the row cannot be read. */
export function openBodyIfReadable(keyring: Keyring, row: SealedBody): MessageBody | undefined {
  return openSealed(keyring, contextOf(row.msgId), row);
}

/** Every body is sealed, whatever conversation it belongs to, and opens only for its own message. */
function contextOf(msgId: string): SealingContext {
  return { table: 'messages', rowId: msgId };
}

/** The files that a message, or a copy of it, uses. */
export function usesOf(
  { msgId, senderId }: Pick<MessageRow, 'msgId' | 'senderId'>,
  { fileUrl, thumbnailUrl }: Pick<MessageBody, 'fileUrl' | 'thumbnailUrl'>,
) {
  const urls = [fileUrl, thumbnailUrl].filter((url) => url !== undefined);
  return urls.map((url) => ({ url, usedBy: msgId, ownerId: senderId }));
}
