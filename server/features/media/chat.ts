import { CHAT } from '#contract/api/chat.ts';
import { serve } from '#platform/http/serve.ts';
import type { Media } from './index.ts';

/** Uploads of people, for what they send and show. The body is the file itself. */
export function mediaChatRoutes(media: Media) {
  return [
    serve(CHAT, {
      'GET /media/limits': ({ person }) => media.findLimits(person.accountId),
      'GET /map': () => media.mapTiles,
      'POST /media': ({ person, query, content, contentLength }) =>
        media.receive({ ...query, ownerId: person.accountId, size: contentLength, body: content }),
    }),
  ];
}
