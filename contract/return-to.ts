const START = '/';

/**
 * Where a person continues after signing in: a path of this server, else the start page. Text that browsers silently correct
 * (`//host`, `/\host`, tabs and line breaks) could lead elsewhere and is refused.
 */
export function safeReturnTo(path: string | undefined): string {
  return path !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && !path.includes('\\') ? path : START;
}

/** Where people accept the terms of the server on the way to a page that is not part of the web application. */
export const TERMS_PATH = '/sign-in/terms';

/** The address of a page that returns the person to `path`, a path of this server. */
export function withReturnTo(page: '/sign-in' | '/sign-up' | typeof TERMS_PATH, path: string): string {
  return path === START ? page : `${page}?returnTo=${encodeURIComponent(path)}`;
}
