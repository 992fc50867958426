import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { CONTENT_TYPES, type ContentType } from './choices.ts';
import {
  confirmation,
  each,
  FileUrl,
  HttpsUrl,
  optional,
  unused,
  variantTitle,
  visibleText,
} from './fields.ts';
import { ConversationId, MsgId, QuotedMsgId, UserId } from './ids.ts';
import { LIMITS } from './limits.ts';

export { CONTENT_TYPES, type ContentType } from './choices.ts';

/** A geographic location, in degrees (contract §2, location object). */
export const Location = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    name: optional(Type.String({ maxLength: LIMITS.locationNameLength })),
    address: optional(Type.String({ maxLength: LIMITS.locationNameLength })),
  },
  { title: 'Location', description: 'A geographic location, in degrees.' },
);

const content = visibleText(LIMITS.textLength, 'The text of the message.');
const caption = optional(
  Type.String({ maxLength: LIMITS.captionLength, description: 'Caption of the file.' }),
);

/** The fields of each type; `url` is the schema of a file's address. */
function fieldsOf(url: TSchema): Record<ContentType, TProperties> {
  return {
    text: { content },
    image: { fileUrl: url, caption },
    video: { fileUrl: url, thumbnailUrl: url, caption },
    audio: { fileUrl: url },
    doc: { fileUrl: url, caption },
    gif: { fileUrl: url },
    sticker: { fileUrl: url },
    location: { location: Location },
  };
}

const REFUSED_UNLESS_USED = each(unused, 'content', 'fileUrl', 'thumbnailUrl', 'caption', 'location');

export const AlbumId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'Consecutive pictures and videos of one sender with the same id are an album.',
});

const Pixels = Type.Integer({
  minimum: 1,
  maximum: 100_000,
  description: 'In pixels, as the file is shown.',
});

/**
 * Details of a file that only people's clients use (docs/decisions/0064-albums-and-voice.md). Bots neither receive nor
 * send them.
 */
export const FileDetails = Type.Object({
  albumId: Type.Optional(AlbumId),
  durationMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400_000 })),
  waveform: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: 100 }), {
      maxItems: 100,
      description: 'The loudness of a voice message over its length.',
    }),
  ),
  width: Type.Optional(Pixels),
  height: Type.Optional(Pixels),
  size: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'In bytes.' }),
  ),
});

export type FileDetails = Static<typeof FileDetails>;

/** The types that have such details, and which ones. */
const DETAILS_OF: Partial<Record<ContentType, TProperties>> = {
  image: only('albumId', 'width', 'height'),
  video: only('albumId', 'durationMs', 'width', 'height'),
  audio: only('durationMs', 'waveform'),
  doc: only('size'),
  gif: only('width', 'height'),
};

function only(...used: (keyof FileDetails)[]): TProperties {
  const refused = Object.fromEntries(Object.keys(FileDetails.properties).map((name) => [name, unused]));
  return { ...refused, ...Object.fromEntries(used.map((name) => [name, FileDetails.properties[name]])) };
}

/**
 * Buttons below a message of a bot (an extension of the contract). Pressing one writes an ordinary text message of the person,
 * which quotes the message; one with a `url` opens that page instead.
 */
export const QuickReplies = Type.Object(
  {
    buttons: Type.Array(
      Type.Object(
        {
          label: visibleText(
            LIMITS.quickReplyLabelLength,
            'The text of the button, and of the answer that it writes.',
          ),
          value: optional(
            Type.String({
              maxLength: LIMITS.quickReplyValueLength,
              description:
                'For the bot alone: the `quickReplyValue` of the answer, instead of the label. Not with `url`.',
            }),
          ),
          url: optional(HttpsUrl),
        },
        { title: 'QuickReply' },
      ),
      { minItems: 1, maxItems: LIMITS.quickReplies },
    ),
    once: optional(
      Type.Boolean({
        description: '`true`: the buttons are gone once somebody has pressed one. Default `false`.',
      }),
    ),
    mentionedOnly: optional(
      Type.Boolean({
        description:
          '`true`: in a group, only people whom the message mentions may press them. Default `false`.',
      }),
    ),
  },
  {
    title: 'QuickReplies',
    description:
      'An extension: buttons below the message. Pressing one writes an ordinary text message of that person, which quotes this one.',
  },
);

export type QuickReplies = Static<typeof QuickReplies>;

/** Message content as received, after validation: its fields match its type. */
export interface SentContent {
  type: ContentType;
  content?: string | null;
  fileUrl?: string | null;
  thumbnailUrl?: string | null;
  caption?: string | null;
  location?: Static<typeof Location> | null;
  fileDetails?: FileDetails | null;
  quickReplies?: QuickReplies | null;
  replyToMsgId?: string | null;
}

/**
 * A body with message content and other fields (contract §2 and §4). Each type is a separate
 * variant, so that an error names the field of the type that was sent; a field that the type does not use is refused.
 *
 * @param fields the other fields of the body, such as `to`
 * @param named the name and description of the body in the OpenAPI document; its variants are named after it
 */
export function bodyWithContent<P extends TProperties>(
  fields: P,
  named?: { title: string; description: string },
) {
  return bodyOf(fields, HttpsUrl, () => ({ quickReplies: optional(QuickReplies) }), named);
}

/** The same for people's clients: files may be uploads, and have {@link FileDetails}. */
export function chatBodyWithContent<P extends TProperties>(fields: P) {
  return bodyOf(fields, FileUrl, (type) => ({
    fileDetails: DETAILS_OF[type] ? optional(Type.Object(DETAILS_OF[type])) : unused,
  }));
}

function bodyOf<P extends TProperties>(
  fields: P,
  url: TSchema,
  detailsOf: (type: ContentType) => TProperties,
  named?: { title: string; description: string },
) {
  const contentFields = fieldsOf(url);
  const variants: TSchema[] = CONTENT_TYPES.map((type) =>
    Type.Object(
      {
        ...fields,
        type: Type.Literal(type),
        ...REFUSED_UNLESS_USED,
        ...contentFields[type],
        ...detailsOf(type),
        replyToMsgId: optional(QuotedMsgId),
      },
      named && { title: variantTitle(named.title, type) },
    ),
  );
  return Type.Unsafe<Static<ReturnType<typeof Type.Object<P>>> & SentContent>({
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: variants,
    ...named,
  });
}

export const SendMessage = bodyWithContent(
  {
    to: Type.String({
      ...UserId,
      description: 'The recipient: `chatId` of a message that the bot received.',
    }),
  },
  { title: 'Message', description: 'A private message to send, one variant for each `type`.' },
);

export const SentMessage = Type.Object(
  { msgId: MsgId },
  { title: 'SentMessage', description: 'The message that was sent.' },
);

export const EditBotMessage = Type.Object(
  {
    conversationId: ConversationId,
    content: optional(visibleText(LIMITS.textLength, 'The new text of a message of type `text`.')),
    caption: optional(
      Type.String({
        maxLength: LIMITS.captionLength,
        description: 'The new caption of an image, a video or a document; empty for none.',
      }),
    ),
  },
  { title: 'EditMessage', description: 'The new text of a message: its `content`, or its `caption`.' },
);

export const DeleteBotMessage = Type.Object(
  { conversationId: ConversationId },
  { title: 'DeleteMessage', description: 'The conversation of the message to delete.' },
);

export const DeletedBotMessage = confirmation(
  'deleted',
  'DeletedMessage',
  'The message was deleted for everybody.',
);

export const SendTyping = Type.Object(
  { conversationId: ConversationId },
  { title: 'Typing', description: 'The conversation in which the bot is about to write.' },
);

export const ShowDraft = Type.Object(
  {
    conversationId: ConversationId,
    content: visibleText(LIMITS.textLength, 'The whole text so far; Markdown may still be open.'),
    replyToMsgId: optional(MsgId),
    keepIfLost: optional(
      Type.Boolean({
        description:
          'Whether this text becomes the message if neither another call nor the message follows within ' +
          `${LIMITS.draftSeconds} seconds, as when the bot dies. It is then sent like any other, if the bot still may.`,
      }),
    ),
  },
  { title: 'Draft', description: 'The text so far of a message that the bot is writing.' },
);

export type ShowDraft = Static<typeof ShowDraft>;

export const ShownDraft = confirmation('shown', 'ShownDraft', 'Open pages show it.');

export const SentTyping = confirmation(
  'sent',
  'SentTyping',
  'Open pages were told, if the bot may write there.',
);
