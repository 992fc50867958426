/** Where a request comes from, as far as sign-in cares. */
export interface Visitor {
  address: string;
  userAgent: string;
  /** The site that the browser calls. */
  site: { protocol: string; host: string };
  /** The credential that the browser still held. Signing in replaces it. */
  credential: string | undefined;
  /** Whether the person is signed in, and confirms it. */
  isSignedIn: boolean;
  requestId: string;
  /** The mark that the browser kept of an earlier sign-in to this account. */
  deviceToken: (accountId: string) => string | undefined;
}
