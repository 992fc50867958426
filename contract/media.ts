import { type Static, Type } from 'typebox';
import { MEDIA_KINDS } from './choices.ts';

export { MEDIA_BYTES, type MediaKind } from './choices.ts';

const Kind = Type.Enum([...MEDIA_KINDS]);

/** Query of `POST /api/chat/media`; the body is the file itself, with its `Content-Length`. */
export const UploadMedia = Type.Object({
  kind: Kind,
  fileName: Type.String({ minLength: 1, maxLength: 255 }),
});

export type UploadMedia = Static<typeof UploadMedia>;

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

/** `data` of `GET /api/chat/media/limits`. */
export const MediaLimits = Type.Object({
  maxBytes: Type.Object({
    image: Type.Integer(),
    video: Type.Integer(),
    audio: Type.Integer(),
    document: Type.Integer(),
  }),
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

export type MapTiles = Static<typeof MapTiles>;
