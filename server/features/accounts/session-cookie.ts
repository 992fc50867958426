import type { Config } from '#platform/config.ts';
import { SESSION_LIFETIME_MS } from './rules.ts';

export interface SessionCookie {
  /** The credential in a `Cookie` header. */
  read(header: string | undefined): string | undefined;
  /** The `Set-Cookie` header that hands out a credential. */
  issue(credential: string): string;
  /** The `Set-Cookie` header that takes it away. */
  clear(): string;
}

/**
 * The cookie that carries a session. Over https its name begins with `__Host-`: no other host, and no page over plain
 * http, can set or replace it. Browsers refuse that name over http, so that localhost gets the plain one.
 */
export function createSessionCookie({ publicUrl }: Pick<Config, 'publicUrl'>): SessionCookie {
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  const name = isSecure ? '__Host-parley_session' : 'parley_session';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const inHeader = new RegExp(`(?:^|;)\\s*${name}=([^;\\s]*)`);
  return {
    read: (header) => inHeader.exec(header ?? '')?.[1],
    issue: (credential) => `${name}=${credential}; Max-Age=${SESSION_LIFETIME_MS / 1000}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
