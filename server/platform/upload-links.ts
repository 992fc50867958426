import type { Config } from './config.ts';
import { publicUrlOf } from './public-url.ts';
import { requirePublicUrl } from './safe-fetch/public-url.ts';

/** An upload by its path on this server, as it was answered with: no dots that lead elsewhere, no query. */
const UPLOAD_PATH = /^\/media\/([A-Za-z0-9_-]{27})\/[A-Za-z0-9%_~-][A-Za-z0-9%._~-]*$/;

/** The id of the upload that a path names, if it is one. */
export function uploadIdOf(url: string): string | undefined {
  return UPLOAD_PATH.exec(url)?.[1];
}

/**
 * The address of a file that somebody names: an upload of this server, which only people's clients may send (the schemas
 * of the public API ask for https), or one on the public internet.
 *
 * @throws ApiError 400 naming the field
 */
export function requireFileUrl(field: string, url: string): string {
  return uploadIdOf(url) === undefined ? requirePublicUrl(field, url) : url;
}

/**
 * The address under which bots and applications reach a file. Of an upload it is the server's own, which other machines
 * reach once `PUBLIC_URL` is set (docs/decisions/0017-uploads.md).
 */
export function publicFileUrl(config: Pick<Config, 'publicUrl' | 'port'>, url: string): string {
  return url.startsWith('/media/') ? publicUrlOf(config) + url : url;
}
