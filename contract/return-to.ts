const START = '/';

/**
 * Where a person continues after signing in: a path of this server, else the start page. Text that browsers silently correct
 * (`//host`, `/\host`, tabs and line breaks) could lead elsewhere and is refused.
 */
export function safeReturnTo(path: string | undefined): string {
  return path !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && !path.includes('\\') ? path : START;
}

/** The address of a page that returns the person to `path`, a path of this server. */
export function withReturnTo(page: '/sign-in' | '/sign-up', path: string): string {
  return path === START ? page : `${page}?returnTo=${encodeURIComponent(path)}`;
}
