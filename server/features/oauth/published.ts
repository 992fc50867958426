import { LIMITS } from '#contract/limits.ts';
import { type Said, say, sayOfField } from '#contract/reasons.ts';
import type { Platform } from '#platform/platform.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import { safeRequest } from '#platform/safe-fetch/safe-request.ts';
import { checkUrl } from '#platform/safe-fetch/url.ts';

/** A client as the document at its own address describes it (OAuth Client ID Metadata Document). */
export interface ClientDocument {
  /** The address, which is its `client_id`. */
  url: string;
  name: string;
  redirectUris: string[];
}

const NAME_LENGTH = 100;
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/?]|$)/;

/** Whether a `client_id` is the address of a document instead of an App ID. */
export function isClientUrl(clientId: string): boolean {
  return /^https?:\/\//.test(clientId);
}

/** @returns the content of the document, or its fault */
function readClientDocument(url: string, body: Buffer): ClientDocument | { fault: Said } {
  const document = readObject(body);
  if (!document) return { fault: say('client-document.no-json') };
  const { client_id: id, client_name: name, redirect_uris: uris } = document;
  if (id !== url) return { fault: say('client-document.other-id') };
  if (typeof name !== 'string' || !isName(name)) return { fault: say('client-document.name') };
  if (!Array.isArray(uris) || uris.length === 0 || !uris.every((uri) => typeof uri === 'string'))
    return { fault: say('client-document.redirect-uris') };
  const { client_secret: secret, token_endpoint_auth_method: method = 'none' } = document;
  // A public document contains no secret.
  if (method !== 'none' || secret !== undefined) return { fault: say('client-document.method') };
  return { url, name, redirectUris: uris };
}

function isName(text: string): boolean {
  return text.trim() !== '' && text.length <= NAME_LENGTH && text.isWellFormed() && !/\p{Cc}/u.test(text);
}

function readObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** By https, or to a program on the person's own device; compared byte for byte, except for such a program's port (RFC 8252 §7.3). */
export function isRedirectUriOf({ redirectUris }: ClientDocument, uri: string): boolean {
  if (uri.length > LIMITS.urlLength || !/^[\x21-\x7e]+$/.test(uri) || /[\\#]/.test(uri)) return false;
  if (!URL.canParse(uri) || /^https?:\/\/[^/?]*@/.test(uri)) return false;
  if (uri.startsWith('https://')) return redirectUris.includes(uri);
  return isOnDevice(uri) && redirectUris.some((known) => withoutPort(known) === withoutPort(uri));
}

/** Whether the redirect stays on the device, where any program may listen. */
export function isOnDevice(redirectUri: string): boolean {
  return LOOPBACK.test(redirectUri);
}

function withoutPort(uri: string): string {
  const [origin] = LOOPBACK.exec(uri) ?? [];
  return origin === undefined ? uri : origin + uri.slice(origin.length).replace(/^:\d*/, '');
}

/** As the specification recommends; documents of real clients are far smaller. */
const MAX_BYTES = 5 * 1024;
const DEADLINE_MS = 5_000;
const KEPT_AT_MOST = 1_000;
const MIN_AGE_SECONDS = 60;
const MAX_AGE_SECONDS = 60 * 60;
const READS_PER_HOUR = 30;

/** Fetches the documents of clients through the webhook guard, for signed-in people, and caches them. */
export class ClientDocuments {
  readonly #deps: Platform;
  readonly #limit: RateLimit;
  readonly #known = new Map<string, { document: ClientDocument; until: number }>();

  constructor(deps: Platform) {
    this.#deps = deps;
    this.#limit = new RateLimit(deps, {
      name: 'client-documents',
      limit: READS_PER_HOUR,
      windowMs: 60 * 60_000,
      refusal: say('client-document.too-many'),
    });
  }

  /**
   * @param readerId the person for whom it is fetched @throws ApiError 429 if too many have been fetched for the person
   */
  async find(url: string, readerId: string): Promise<ClientDocument | { fault: Said }> {
    const { clock, guard } = this.#deps;
    const known = this.#known.get(url);
    if (known && clock.now() < known.until) return known.document;
    const checked = checkUrl(url, guard);
    if ('fault' in checked) return { fault: sayOfField('client_id', `url-${checked.fault}`) };
    if (checked.url.pathname === '/') return { fault: say('client-document.no-path') };
    await this.#limit.count(readerId);
    const headers = { accept: 'application/json' };
    const answer = await safeRequest(guard, url, { headers, deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES });
    if (answer.kind === 'failure')
      return { fault: say('client-document.unreachable', { fault: answer.said.message }) };
    if (answer.status !== 200) return { fault: say('client-document.status', { status: answer.status }) };
    const read = readClientDocument(url, answer.body);
    if (!('fault' in read)) this.#keep(read, ageOf(answer.headers['cache-control']));
    return read;
  }

  #keep(document: ClientDocument, ageSeconds: number): void {
    // Added again, so that the first entry is the oldest.
    this.#known.delete(document.url);
    this.#known.set(document.url, { document, until: this.#deps.clock.now() + ageSeconds * 1000 });
    const [oldest] = this.#known.keys();
    if (this.#known.size > KEPT_AT_MOST && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** For as long as the client allows, within limits. */
function ageOf(cacheControl = ''): number {
  const [, seconds = '0'] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl) ?? [];
  const isShort = /\bno-(?:store|cache)\b/i.test(cacheControl);
  return isShort ? MIN_AGE_SECONDS : Math.min(MAX_AGE_SECONDS, Math.max(MIN_AGE_SECONDS, Number(seconds)));
}
