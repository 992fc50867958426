import type { Config } from '../config.ts';
import { invalidArgument } from '../errors.ts';
import { publicUrlOf } from '../public-url.ts';
import { checkLink } from '../safe-fetch/url.ts';

/** The path of an upload exactly as the upload's response gave it: no dot segments, no query. */
const UPLOAD_PATH = /^\/media\/([A-Za-z0-9_-]{27})\/[A-Za-z0-9%_~-][A-Za-z0-9%._~-]*$/;

/** The ID of the upload at this path, if it is one. */
export function uploadIdOf(url: string): string | undefined {
  return UPLOAD_PATH.exec(url)?.[1];
}

/**
 * Validates the URL of a file: an upload of this server, which only people's clients may send (the schemas of the public API
 * require https), or a file on the public internet.
 *
 * @throws ApiError 400 naming the field
 */
export function requireFileUrl(field: string, url: string): string {
  return uploadIdOf(url) === undefined ? requirePublicUrl(field, url) : url;
}

/**
 * The URL at which bots and applications reach a file. For an upload it is on this server, which other machines reach once
 * `PUBLIC_URL` is set (docs/decisions/0017-uploads.md).
 */
export function publicFileUrl(config: Pick<Config, 'publicUrl' | 'port'>, url: string): string {
  return url.startsWith('/media/') ? publicUrlOf(config) + url : url;
}

/**
 * Validates a URL that people's clients will load: https, and public as far as its text shows. The service itself does not
 * fetch it (contract §2).
 *
 * @throws ApiError 400 naming the field
 */
function requirePublicUrl(field: string, text: string): string {
  const checked = checkLink(text);
  if ('fault' in checked) throw invalidArgument(field, `url-${checked.fault}`);
  return text;
}
