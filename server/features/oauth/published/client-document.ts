import { LIMITS } from '#contract/limits.ts';
import { type Said, say } from '#contract/reasons.ts';

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
export function readClientDocument(url: string, body: Buffer): ClientDocument | { fault: Said } {
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
