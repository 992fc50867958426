import type { Readable } from 'node:stream';
import { Success } from '#contract/envelope.ts';
import { Media, MediaLimits, UploadMedia } from '#contract/media.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { RateLimit } from '#platform/rate-limit.ts';
import { openMediaStore } from './open-store.ts';
import { receiveUpload, UploadTurns } from './receive.ts';
import { findMediaLimits } from './usage.ts';

const UPLOADS_AT_ONCE = 4;

/** Uploads of people, for what they send and show. The body is the file itself. */
export function mediaChatRoutes(app: App, deps: Platform): void {
  const { clock, config } = deps;
  const store = openMediaStore(config);
  const turns = new UploadTurns();
  const starts = new RateLimit(deps, {
    name: 'upload',
    limit: config.uploadsPerMinute,
    windowMs: 60_000,
    refusal: 'you are uploading files very fast',
  });

  app.get('/media/limits', { schema: { response: { 200: Success(MediaLimits) } } }, async ({ person }) =>
    success(clock.now(), 'what you may upload', await findMediaLimits(deps, person.accountId)),
  );

  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(/^/, (_request, body, done) => done(null, body));
    scope.post(
      '/media',
      {
        config: { takesLong: true },
        schema: { querystring: UploadMedia, response: { 201: Success(Media) } },
      },
      async ({ person: { accountId }, query, headers, body }, reply) => {
        await starts.count(accountId);
        const length = headers['content-length'];
        const media = await turns.take(accountId, UPLOADS_AT_ONCE, () =>
          receiveUpload(
            { ...deps, store },
            {
              ...query,
              ownerId: accountId,
              size: length === undefined ? undefined : Number(length),
              body: body as Readable,
            },
          ),
        );
        reply.code(201);
        return success(clock.now(), 'uploaded', media);
      },
    );
  });
}
