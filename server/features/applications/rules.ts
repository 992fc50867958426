import { LIMITS } from '#contract/limits.ts';
import { type ApiError, permissionDenied } from '#platform/errors.ts';

/** The one transition that an owner may not make (contract §3); to where an application is already is no error. */
export function refuseWhileSuspended(verb: 'disabled' | 'reactivated' | 'deleted'): ApiError {
  return permissionDenied(
    `the application is suspended by the platform team and cannot be ${verb} from the console`,
  );
}

/**
 * What is wrong with a redirect URI, reading on from the field's name; undefined for a good one (contract §5.4;
 * decisions: OAuth). It is kept byte for byte, so it is read here as it stands, not as a parser would mend it.
 */
export function judgeRedirectUri(uri: string): string | undefined {
  if (uri.length > LIMITS.urlLength) return `must have at most ${LIMITS.urlLength} characters`;
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\')) {
    return 'must be plain ASCII without spaces and backslashes; percent-encode anything else';
  }
  if (uri.includes('#')) return 'must not contain a fragment (#…)';
  const [, scheme, authority] = /^(https?):\/\/([^/?]+)/.exec(uri) ?? [];
  if (authority === undefined) return 'must begin with https://, or with http://localhost for development';
  if (authority.includes('@')) return 'must not contain a user name or password';
  if (scheme === 'http' && !/^localhost(:\d+)?$/.test(authority)) {
    return 'must begin with https://; only http://localhost is accepted without TLS';
  }
  return URL.canParse(uri) ? undefined : 'must be a whole URL such as https://app.example.com/callback';
}
