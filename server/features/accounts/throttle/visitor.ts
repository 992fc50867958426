/** The origin of a request, as relevant for sign-in. */
export interface Visitor {
  address: string;
  userAgent: string;
  /** The site that the browser calls. */
  site: { protocol: string; host: string };
  /** The browser's current credential. Signing in replaces it. */
  credential: string | undefined;
  /** Whether the person is already signed in and only confirms their identity. */
  isSignedIn: boolean;
  requestId: string;
  /** The device cookie of an earlier sign-in to this account. */
  deviceToken: (accountId: string) => string | undefined;
}
