import { type Static, Type } from 'typebox';
import { MEDIA_BYTES, MEDIA_KINDS, type MediaKind } from './choices.ts';
import { each } from './fields.ts';

export { MEDIA_BYTES, type MediaKind } from './choices.ts';

const Kind = Type.Enum([...MEDIA_KINDS]);

/** Query of `POST /api/chat/media`; the body is the file itself, with its `Content-Length`. */
export const UploadMedia = Type.Object({
  kind: Kind,
  fileName: Type.String({ minLength: 1, maxLength: 255 }),
});

/** An upload. `url` is its address on this server, by which a message, story or picture refers to it. */
export const Media = Type.Object({
  url: Type.String({ examples: ['/media/3f9K0v5m2c8x7Q1t6w4z8b2n4rs/photo.jpg'] }),
  kind: Kind,
  contentType: Type.String({
    description: 'Detected from the content; `application/octet-stream` can only be downloaded.',
  }),
  fileName: Type.String(),
  size: Type.Integer({ description: 'In bytes.' }),
});

export type Media = Static<typeof Media>;

/** The types of message that an uploaded file is sent as, and what each is uploaded as. */
export const UPLOAD_TYPES = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  doc: 'document',
} as const satisfies Record<string, MediaKind>;

export type UploadType = keyof typeof UPLOAD_TYPES;

const TYPES = Object.keys(UPLOAD_TYPES) as UploadType[];

export const UploadFile = Type.Object({
  type: Type.Optional(
    Type.Enum(TYPES, {
      description:
        'The type of message that the file is for. By default what browsers show as an image, video or audio is one, and ' +
        'everything else a `doc`, which can only be downloaded.',
    }),
  ),
});

/** The largest file of all. */
export const UPLOAD_BYTES = Math.max(...Object.values(MEDIA_BYTES));

const megabytes = (type: UploadType) => MEDIA_BYTES[UPLOAD_TYPES[type]] / 1024 / 1024;

export const UploadForm = Type.Object(
  {
    file: Type.String({
      format: 'binary',
      description:
        `The file, with its name: an image of at most ${megabytes('image')} MB, a video of ${megabytes('video')}, audio or a ` +
        `document of ${megabytes('audio')}.`,
    }),
  },
  { title: 'FileForm', description: 'A form with one file.' },
);

export const UploadedFile = Type.Object(
  {
    type: Type.Enum(TYPES, {
      description: 'The type of message that the file can be sent as; an image also as `gif` or `sticker`.',
    }),
    fileUrl: Type.String({
      description:
        'For messages, groups, stories and the picture of a bot. Anybody who has the link can read the file.',
    }),
    contentType: Type.String({
      description: 'Detected from the content; `application/octet-stream` can only be downloaded.',
    }),
    fileName: Type.String({ description: 'Without characters that are unsafe in a file name.' }),
    size: Type.Integer({ description: 'In bytes.' }),
  },
  { title: 'UploadedFile', description: 'A file that was uploaded.' },
);

export type UploadedFile = Static<typeof UploadedFile>;

export const MediaLimits = Type.Object({
  maxBytes: Type.Object(each(Type.Integer(), ...MEDIA_KINDS)),
  bytesPerDay: Type.Integer(),
  bytesLeftToday: Type.Integer(),
  isPublic: Type.Boolean({
    description:
      'Whether bots on other machines can fetch uploads. False while PUBLIC_URL is not set, since the links then name localhost.',
  }),
});

export type MediaLimits = Static<typeof MediaLimits>;

/** `data` of `GET /api/chat/map`: where map tiles come from; empty if the operator has disabled maps. */
export const MapTiles = Type.Object({
  tiles: Type.Optional(
    Type.Object({
      url: Type.String({ examples: ['https://tile.openstreetmap.org/{z}/{x}/{y}.png'] }),
      attribution: Type.String({ description: 'The attribution that has to be shown with the map.' }),
    }),
  ),
});
