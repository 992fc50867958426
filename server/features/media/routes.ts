import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { id } from '#contract/ids.ts';
import { ApiError, notFound } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { SHOWN_ELSEWHERE } from '#platform/http/security-headers.ts';
import type { Platform } from '#platform/platform.ts';
import { openMediaStore } from './open-store.ts';
import { selectMedia } from './queries.ts';
import { DOWNLOADED, nameInPath, readRange } from './rules.ts';

const YEAR = 'public, max-age=31536000, immutable';
const MediaParams = Type.Object({ mediaId: id(), fileName: Type.String({ pattern: '^\\P{Cc}+$' }) });
const MEDIA_ID = /^[A-Za-z0-9_-]{27}$/;

/** What leads to a file is its link alone: whoever was given it may look, and nobody can guess it. */
export function mediaRoutes(app: App, deps: Pick<Platform, 'db' | 'keyring' | 'config'>): void {
  const store = openMediaStore(deps.config);

  app.get(
    '/media/:mediaId/:fileName',
    { schema: { params: MediaParams, hide: true } },
    async (request, reply) => {
      const { mediaId } = request.params;
      const media = MEDIA_ID.test(mediaId) ? await selectMedia(deps.db, mediaId) : undefined;
      if (!media) throw notFound('there is no such file');
      const { contentType, size } = media;
      const etag = `"${mediaId}"`;
      const sealed = { keyId: media.fileNameKeyId, ciphertext: media.fileName };
      const name =
        deps.keyring.openIfReadable({ table: 'media', rowId: mediaId }, sealed)?.toString() ?? mediaId;
      const headers = {
        'content-type': contentType,
        'content-disposition': `${contentType === DOWNLOADED ? 'attachment' : 'inline'}; filename*=UTF-8''${nameInPath(name)}`,
        // Opened by itself, it may do nothing.
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        ...SHOWN_ELSEWHERE,
        'cache-control': YEAR,
        'accept-ranges': 'bytes',
        etag,
      };
      if (request.headers['if-none-match'] === etag) return reply.headers(headers).code(304).send();
      const isSame = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
      const range = isSame ? readRange(request.headers.range, size) : undefined;
      if (range === 'unsatisfiable') {
        throw new ApiError(416, 'invalid-argument', 'Range names no part of the file', {
          'content-range': `bytes */${size}`,
        });
      }
      if (range) reply.header('content-range', `bytes ${range.start}-${range.end}/${size}`).code(206);
      const length = range ? range.end - range.start + 1 : size;
      reply.headers(headers).header('content-length', length);
      if (request.method === 'HEAD') return reply.send(Readable.from([]));
      const file = await store.read(mediaId, range);
      if (!file) throw notFound('there is no such file');
      return reply.send(file);
    },
  );
}
