import { Readable } from 'node:stream';
import { PUBLIC } from '#contract/api/public.ts';
import { say } from '#contract/reasons.ts';
import { ApiError, notFound } from '#platform/errors.ts';
import { SHOWN_ELSEWHERE } from '#platform/http/security-headers.ts';
import { serve } from '#platform/http/serve.ts';
import type { Media } from './index.ts';
import { DOWNLOADED, nameInPath, readRange } from './rules.ts';

const YEAR = 'public, max-age=31536000, immutable';

/** Files, for everybody with the link, which cannot be guessed. */
export function mediaPublicRoutes(media: Media) {
  return [
    serve(PUBLIC, {
      'GET /media/:mediaId/:fileName': async ({
        params: { mediaId },
        request: { method, headers: asked },
        reply,
      }) => {
        const found = await media.find(mediaId);
        if (!found) throw notFound('media.unknown');
        const { contentType, size, fileName } = found;
        const etag = `"${mediaId}"`;
        const headers = {
          'content-type': contentType,
          'content-disposition': `${contentType === DOWNLOADED ? 'attachment' : 'inline'}; filename*=UTF-8''${nameInPath(fileName)}`,
          // A file opened as a page may not run or load anything.
          'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
          ...SHOWN_ELSEWHERE,
          'cache-control': YEAR,
          'accept-ranges': 'bytes',
          etag,
        };
        if (asked['if-none-match'] === etag) return reply.headers(headers).code(304).send();
        const isSame = asked['if-range'] === undefined || asked['if-range'] === etag;
        const range = isSame ? readRange(asked.range, size) : undefined;
        if (range === 'unsatisfiable') {
          throw new ApiError(416, 'invalid-argument', say('media.range'), {
            'content-range': `bytes */${size}`,
          });
        }
        if (range) reply.header('content-range', `bytes ${range.start}-${range.end}/${size}`).code(206);
        const length = range ? range.end - range.start + 1 : size;
        reply.headers(headers).header('content-length', length);
        if (method === 'HEAD') return reply.send(Readable.from([]));
        const file = await media.read(mediaId, range);
        if (!file) throw notFound('media.unknown');
        return reply.send(file);
      },
    }),
  ];
}
