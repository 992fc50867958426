import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { HttpsUrl, optional, unused, variantTitle, visibleText } from './fields.ts';
import { MsgId, QuotedMsgId, UserId } from './ids.ts';
import { LIMITS } from './limits.ts';

/** The 8 types that a bot or a person may send (contract §2). */
export const CONTENT_TYPES = [
  'text',
  'image',
  'video',
  'audio',
  'doc',
  'gif',
  'sticker',
  'location',
] as const;

/** One of the 8 types of message content (contract §2). */
export type ContentType = (typeof CONTENT_TYPES)[number];

/** A place on earth, in degrees (contract §2, location object). */
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

/** The fields of each type; `url` is the form that the address of a file has. */
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

const REFUSED_UNLESS_USED = {
  content: unused,
  fileUrl: unused,
  thumbnailUrl: unused,
  caption: unused,
  location: unused,
};

/** Message content as it comes over the wire, after validation: which field goes with which type is settled. */
export interface SentContent {
  type: ContentType;
  content?: string | null;
  fileUrl?: string | null;
  thumbnailUrl?: string | null;
  caption?: string | null;
  location?: Static<typeof Location> | null;
  replyToMsgId?: string | null;
}

/**
 * A body that carries message content beside fields of its own (contract §2 and §4). Each type is a variant of its
 * own, so that an error names the field of the type that was sent; a field that the type does not use is refused.
 *
 * @param fields the other fields of the body, such as `to`
 * @param url the form of the addresses of files: {@link HttpsUrl}, or `FileUrl` where people's clients send
 * @param named the name and description of the body in the OpenAPI document; its variants are named after it
 */
export function bodyWithContent<P extends TProperties>(
  fields: P,
  url: TSchema = HttpsUrl,
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

/** Body of `POST /v1/messages` (contract §4). */
export const SendMessage = bodyWithContent(
  {
    to: Type.String({
      ...UserId,
      description: 'The recipient: `chatId` of a message that the bot received.',
    }),
  },
  HttpsUrl,
  { title: 'Message', description: 'A private message to send, one variant for each `type`.' },
);

/** `data` of the answer to a sent message (contract §4). */
export const SentMessage = Type.Object(
  { msgId: MsgId },
  { title: 'SentMessage', description: 'The message that was sent.' },
);
