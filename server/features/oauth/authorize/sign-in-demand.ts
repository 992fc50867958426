import { hash } from 'node:crypto';
import { openText, sealText } from '#platform/crypto/sealed-text.ts';
import type { OAuthDeps } from '../deps.ts';

const PARAMETER = 'sign_in_demanded';
/** The same as for the consent page that follows. */
const LIFETIME_MS = 60 * 60_000;

/**
 * The address of an authorization request, with the time at which it demanded a sign-in: after signing in,
 * the person returns to it and continues. The time is sealed, so that nobody can forge one that skips the
 * sign-in.
 */
export function demandSignIn({ keyring, clock }: OAuthDeps, url: string): string {
  const plain = withoutDemand(url);
  const demand = sealText(keyring, contextOf(plain), { at: clock.now() });
  return `${plain}${plain.includes('?') ? '&' : '?'}${PARAMETER}=${demand}`;
}

/** When this request demanded a sign-in; undefined when it did not, or too long ago. */
export function findSignInDemand({ keyring, clock }: OAuthDeps, url: string): number | undefined {
  const [, text] = new RegExp(`[?&]${PARAMETER}=([^&]*)`).exec(url) ?? [];
  if (text === undefined) return undefined;
  const demand = openText<{ at: number }>(keyring, contextOf(withoutDemand(url)), text);
  return demand && clock.now() - demand.at < LIFETIME_MS ? demand.at : undefined;
}

function withoutDemand(url: string): string {
  return url.replace(new RegExp(`&${PARAMETER}=[^&]*`, 'g'), '');
}

function contextOf(url: string) {
  return { table: 'sign_in_demands', rowId: hash('sha256', url) };
}
