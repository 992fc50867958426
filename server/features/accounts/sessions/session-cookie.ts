import type { Config } from '#platform/config.ts';
import { isId } from '#platform/ids.ts';
import { DEVICE_LIFETIME_MS, SESSION_LIFETIME_MS } from '../rules.ts';
import type { DeviceMark } from './devices.ts';

export interface SessionCookie {
  /** The credential in a `Cookie` header. */
  read(header: string | undefined): string | undefined;
  /** The `Set-Cookie` header with a credential. */
  issue(credential: string): string;
  /** The device cookie of an earlier sign-in to this account, in a `Cookie` header. */
  readDevice(header: string | undefined, accountId: string): string | undefined;
  /** The `Set-Cookie` headers of a sign-in. */
  enter(signedIn: { credential: string; device: DeviceMark }): string[];
  /** The `Set-Cookie` header that removes it. */
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
  const device = isSecure ? '__Host-parley_device' : 'parley_device';
  const issue = (credential: string) =>
    `${name}=${credential}; Max-Age=${SESSION_LIFETIME_MS / 1000}; ${attributes}`;
  const inHeader = new RegExp(`(?:^|;)\\s*${name}=([^;\\s]*)`);
  return {
    read: (header) => inHeader.exec(header ?? '')?.[1],
    issue,
    readDevice: (header, accountId) =>
      isId('usr', accountId)
        ? new RegExp(`(?:^|;)\\s*${device}_${accountId}=([^;\\s]*)`).exec(header ?? '')?.[1]
        : undefined,
    enter: ({ credential, device: { accountId, token } }) => [
      issue(credential),
      `${device}_${accountId}=${token}; Max-Age=${DEVICE_LIFETIME_MS / 1000}; ${attributes}`,
    ],
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
