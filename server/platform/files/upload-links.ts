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
 * require https), or a file on the public internet: https, and public as far as its text shows. The service itself does not
 * fetch it (contract §2).
 *
 * @throws ApiError 400 naming the field
 */
export function requireFileUrl(field: string, url: string): string {
  if (uploadIdOf(url) !== undefined) return url;
  const checked = checkLink(url);
  if ('fault' in checked) throw invalidArgument(field, `url-${checked.fault}`);
  return url;
}

/**
 * The URL at which bots and applications reach a file. For an upload it is on this server, which other machines reach once
 * `PUBLIC_URL` is set (docs/decisions/0017-uploads.md).
 */
export function publicFileUrl(config: Pick<Config, 'publicUrl' | 'port'>, url: string): string {
  return url.startsWith('/media/') ? publicUrlOf(config) + url : url;
}

/**
 * The link to an upload in the public API, which takes https links only (docs/decisions/0017-uploads.md): of a server without
 * https it is a name for the upload, and cannot be opened.
 */
export function uploadLink(config: Pick<Config, 'publicUrl' | 'port'>, path: string): string {
  return publicFileUrl(config, path).replace(/^http:/, 'https:');
}

/** The path of the upload that a link of the public API names, if it is one of this server. */
export function pathOfUploadLink(
  config: Pick<Config, 'publicUrl' | 'port'>,
  link: string,
): string | undefined {
  const at = link.indexOf('/media/');
  const path = at < 0 ? '' : link.slice(at);
  return uploadIdOf(path) !== undefined && link === uploadLink(config, path) ? path : undefined;
}
