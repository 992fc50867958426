import type { Routes } from '#platform/http/routes.ts';
import type { Person } from './session.ts';

export type { Person };

export interface PersonRouteOptions {
  /** The route shows or makes a secret, or deletes: it asks for a sign-in of the last 10 minutes. */
  needsRecentSignIn?: true;
}

/** What people do in the chat. */
export type ChatRoutes = Routes<{ person: Person }, PersonRouteOptions>;
