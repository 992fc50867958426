import { Readable } from 'node:stream';
import { CHAT } from '#contract/api/chat.ts';
import { PUBLIC } from '#contract/api/public.ts';
import { V1 } from '#contract/api/v1.ts';
import {
  type Media as MediaReply,
  UPLOAD_TYPES,
  type UploadedFile,
  type UploadType,
} from '#contract/media.ts';
import { DOWNLOADED } from '#contract/media-types.ts';
import { say } from '#contract/reasons.ts';
import { ApiError, notFound } from '#platform/errors.ts';
import { uploadLink } from '#platform/files/upload-links.ts';
import { SHOWN_ELSEWHERE } from '#platform/http/security-headers.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import { withDeps } from '#platform/with-deps.ts';
import { openMediaStore } from './open-store.ts';
import {
  type FindOwnLimits,
  findMediaLimits,
  type IncomingFile,
  type MediaDeps,
  receiveUpload,
  UploadTurns,
} from './receive.ts';
import { nameInPath, readRange } from './rules.ts';
import {
  findMedia,
  keepForHold,
  releaseReplaced,
  releaseUploads,
  removeUnusedMedia,
  type UploadFields,
  withClaim,
  withClaimedLinks,
} from './service.ts';

const YEAR = 'public, max-age=31536000, immutable';

/** Uploads of people, whose body is the file itself, and files for everybody with the link, which cannot be guessed. */
function mediaRoutes(deps: MediaDeps) {
  const { mapTiles: tiles } = deps.config;
  const receive = (file: IncomingFile) => deps.turns.take(file.ownerId, () => receiveUpload(deps, file));
  return [
    serve(CHAT, {
      'GET /media/limits': ({ person }) => findMediaLimits(deps, person.accountId),
      'GET /map': () => ({ ...(tiles && { tiles }) }),
      'POST /media': async ({ person: { accountId: ownerId }, query, content, contentLength }) => {
        await deps.starts.count(ownerId);
        const { kind } = query;
        const fields = { file: 'body', kind: 'kind' } as const;
        return receive({ ownerId, kind, fields, contentLength, content, fileName: () => query.fileName });
      },
    }),
    serve(V1, {
      'POST /v1/uploads': async ({ actor, query, file, contentLength }) => {
        const kind = query.type && UPLOAD_TYPES[query.type];
        const fields = { file: 'file', kind: 'type' } as const;
        const media = await receive({ ownerId: actor.accountId, kind, fields, contentLength, ...file });
        return publicUpload(deps.config, media);
      },
    }),
    serve(PUBLIC, {
      'GET /media/:mediaId/:fileName': async ({
        params: { mediaId },
        request: { method, headers: asked },
        reply,
      }) => {
        const found = await findMedia(deps, mediaId);
        if (!found) throw notFound('media.unknown');
        const { contentType, size, fileName } = found;
        const etag = `"${mediaId}"`;
        const headers = {
          'content-type': contentType,
          'content-disposition': `${contentType === DOWNLOADED ? 'attachment' : 'inline'}; filename*=UTF-8''${nameInPath(fileName)}`,
          // A file opened as a page may not run or load anything; the page that browsers make of a video or sound loads the file.
          'content-security-policy':
            "default-src 'none'; media-src 'self'; sandbox allow-same-origin; frame-ancestors 'none'",
          ...SHOWN_ELSEWHERE,
          'cache-control': YEAR,
          'accept-ranges': 'bytes',
          etag,
        };
        if (asked['if-none-match']?.includes(etag)) return reply.headers(headers).code(304).send();
        const isSame = asked['if-range'] === undefined || asked['if-range'] === etag;
        const range = method === 'GET' && isSame ? readRange(asked.range, size) : undefined;
        if (range === 'unsatisfiable') {
          throw new ApiError(416, 'invalid-argument', say('media.range'), {
            'content-range': `bytes */${size}`,
          });
        }
        const length = range ? range.end - range.start + 1 : size;
        // The headers come last: an error may not be kept like the file.
        const file = method === 'HEAD' ? Readable.from([]) : await deps.store.read(mediaId, range);
        if (!file) throw notFound('media.unknown');
        // Neither may one before the first byte.
        file.once('error', () => reply.header('cache-control', 'no-store').removeHeader('etag'));
        if (range) reply.header('content-range', `bytes ${range.start}-${range.end}/${size}`).code(206);
        return reply.headers(headers).header('content-length', length).send(file);
      },
    }),
  ];
}

/** An upload as the public API shows it. */
function publicUpload(config: Platform['config'], { url, kind, ...file }: MediaReply): UploadedFile {
  const type = (Object.keys(UPLOAD_TYPES) as UploadType[]).find((one) => UPLOAD_TYPES[one] === kind);
  return { type: type as UploadType, fileUrl: uploadLink(config, url), ...file };
}

export { openExportedMedia } from './exported.ts';
export { openImportedMedia } from './imported.ts';
export { askMediaStore } from './open-store.ts';

/** Uploads: the files that people send and show. */
export type Media = ReturnType<typeof createMedia>['api'];

/** Accounts, which know the limits of one person, come after media. */
export function createMedia(given: Platform & { findOwnLimits: FindOwnLimits }) {
  const { config, findOwnLimits } = given;
  const deps: MediaDeps = {
    ...given,
    store: openMediaStore(config),
    turns: new UploadTurns(),
    starts: new RateLimit(given, {
      name: 'upload',
      limit: config.uploadsPerMinute,
      findLimit: async (accountId) => (await findOwnLimits(accountId))?.uploadsPerMinute,
      windowMs: 60_000,
      refusal: say('person.uploading-fast'),
    }),
  };
  return {
    api: {
      release: releaseUploads,
      releaseReplaced,
      hold: keepForHold,
      ...withDeps(deps, { removeUnused: removeUnusedMedia }),
      withClaim: <T>(body: UploadFields, usedBy: readonly string[], store: () => Promise<T>) =>
        withClaim(deps, body, usedBy, store),
      withClaimedLinks: <B extends UploadFields, T>(
        body: B,
        usedBy: string,
        store: (body: B) => Promise<T>,
      ) => withClaimedLinks(deps, body, usedBy, store),
    },
    routes: mediaRoutes(deps),
    hooks: {},
  };
}
