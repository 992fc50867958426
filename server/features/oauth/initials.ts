import { PUBLIC } from '#contract/api/public.ts';
import type { Config } from '#platform/config.ts';
import { notFound } from '#platform/errors.ts';
import { SHOWN_ELSEWHERE } from '#platform/http/security-headers.ts';
import { serve } from '#platform/http/serve.ts';
import { publicUrlOf } from '#platform/public-url.ts';

const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u;

/**
 * The contract requires a picture: a person without one gets a generated image of the first letter of the name.
 * Its address contains only the letter, so that it can be cached forever and reveals no account.
 */
export function initialUrl(config: Pick<Config, 'publicUrl' | 'port'>, name: string): string {
  const [letter = '?'] = Array.from(name.toUpperCase()).filter((one) => VISIBLE.test(one));
  return `${publicUrlOf(config)}/initials/${letter.codePointAt(0)?.toString(16)}`;
}

/** Renders the picture at {@link initialUrl}. */
export function initialRoute() {
  return serve(PUBLIC, {
    'GET /initials/:codePoint': ({ params, reply }) => {
      const letter = String.fromCodePoint(Number.parseInt(params.codePoint, 16));
      if (!VISIBLE.test(letter)) throw notFound('media.unknown');
      return reply
        .headers({
          ...SHOWN_ELSEWHERE,
          'content-type': 'image/svg+xml; charset=utf-8',
          'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
          'cache-control': 'public, max-age=31536000, immutable',
        })
        .send(draw(letter));
    },
  });
}

function draw(letter: string): string {
  const escaped = letter.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#3b5b92"/>' +
    '<text x="48" y="50" fill="#fff" font-family="sans-serif" font-size="48" text-anchor="middle" ' +
    `dominant-baseline="central">${escaped}</text></svg>`
  );
}
