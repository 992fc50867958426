import { MapTiles, MediaLimits, Media as MediaReply, UploadMedia } from '#contract/media.ts';
import type { Routes } from '#platform/http/routes.ts';
import type { Media } from './index.ts';

/** Uploads of people, for what they send and show. The body is the file itself. */
export function mediaChatRoutes(chat: Routes<{ person: { accountId: string } }>, media: Media): void {
  chat.get('/media/limits', { reply: MediaLimits, message: 'what you may upload' }, ({ person }) =>
    media.findLimits(person.accountId),
  );

  chat.get('/map', { reply: MapTiles, message: 'where maps come from' }, () => media.mapTiles);

  chat.upload(
    '/media',
    { query: UploadMedia, reply: MediaReply, message: 'uploaded' },
    ({ person, query, content, contentLength }) =>
      media.receive({ ...query, ownerId: person.accountId, size: contentLength, body: content }),
  );
}
