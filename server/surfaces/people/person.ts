import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '#contract/applications/team.ts';
import { say } from '#contract/reasons.ts';
import {
  type Accounts,
  type ConsoleRouteOptions,
  type Person,
  requireRecentSignIn,
} from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import { ApiError, permissionDenied } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { clientAddress } from '#platform/http/client-address.ts';
import { RequestSlot } from '#platform/http/connections/request-slot.ts';
import { requestFields } from '#platform/http/error-handler.ts';
import { createRoutes, type Routes } from '#platform/http/routes.ts';
import type { Platform } from '#platform/platform.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route shows or makes a secret, decides where secrets go, or deletes: it asks for a sign-in of the last 10 minutes. */
    needsRecentSignIn?: boolean;
    /** Who of an application's team may. */
    role?: Role;
  }
}

/** Who is signed in. */
const signedIn = new RequestSlot<Person>();

const READS = new Set(['GET', 'HEAD']);

/** Common to all surfaces for browsers: answers that no cache keeps, and no mutation from a foreign page. */
export function guardPages(app: App, { config }: Pick<Platform, 'config'>): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (!READS.has(request.method) && isForeign(request, config.publicUrl)) {
      throw permissionDenied('http.other-site');
    }
  });
}

/** Every route of the surface asks for a session, before the body is read. */
export function requirePerson(
  app: App,
  platform: Pick<Platform, 'config' | 'clock'> & { accounts: Accounts },
): void {
  guardPages(app, platform);
  app.addHook('onRequest', async (request) => {
    const person = await platform.accounts.findPerson(request.headers.cookie);
    // No WWW-Authenticate: a session is no HTTP authentication scheme, and Bearer would send clients the wrong way.
    if (!person) throw new ApiError(401, 'unauthenticated', say('session.missing'));
    signedIn.set(request, person);
    if (request.route.config.needsRecentSignIn) requireRecentSignIn(person, platform.clock.now());
  });
}

/**
 * Behind {@link requirePerson}: nobody goes on who has not accepted the terms of this server. The account itself stays within
 * reach, to accept them, to take one's data or to leave.
 */
export function requireTerms(app: App, { config }: Pick<Platform, 'config'>): void {
  app.addHook('onRequest', async (request) => {
    const { termsUrl: url } = config;
    if (url !== undefined && personOf(request).termsUrl !== url)
      throw permissionDenied('terms.not-accepted', { url });
  });
}

/**
 * Behind {@link requirePerson}: what a teammate may not do is refused before the body is read. Whoever is a stranger to the
 * application goes on, and hears from the service that there is none.
 */
export function requireRole(app: App, { applications }: { applications: Applications }): void {
  app.addHook('onRequest', async (request) => {
    const { appId } = request.params as { appId?: string };
    const needed = request.route.config.role ?? (READS.has(request.method) ? 'viewer' : 'developer');
    if (appId === undefined || needed === 'viewer') return;
    const role = await applications.findRole(appId, personOf(request).accountId);
    if (role && !applications.mayActAs(role, needed))
      throw permissionDenied('team.needs-role', { role: needed });
  });
}

/** Who is signed in, behind {@link requirePerson}; for the builders of surfaces. */
export function personOf(request: FastifyRequest): Person {
  return signedIn.get(request);
}

/** One line for each 403 of a console, whoever asked for what. */
export function logRefusals(app: App): void {
  app.addHook('onError', async (request, _reply, error) => {
    if (!(error instanceof ApiError) || error.status !== 403) return;
    const accountId = signedIn.find(request)?.accountId;
    request.log.warn(
      {
        event: 'access.denied',
        address: clientAddress(request),
        ...(accountId && { accountId }),
        reason: error.message,
        ...requestFields(request),
      },
      'access was denied',
    );
  });
}

type ForRoutes = Pick<Platform, 'db' | 'clock' | 'keyring' | 'newId' | 'upgradeEndsAt'>;

/**
 * The builder of routes for people, behind {@link requirePerson}.
 *
 * @param clientId what their `Idempotency-Key`s belong to
 */
export function personRoutes(app: App, platform: ForRoutes, clientId: 'chat' | 'console') {
  return personRoutesWith(app, platform, clientId, () => ({}));
}

/** The same, with more that the surface gives to handlers. */
export function personRoutesWith<More>(
  app: App,
  platform: ForRoutes,
  clientId: string,
  more: (request: FastifyRequest, reply: FastifyReply) => More,
): Routes<{ person: Person } & More, ConsoleRouteOptions> {
  return createRoutes<{ person: Person } & More, ConsoleRouteOptions>(app, platform, {
    describe: ({ needsRecentSignIn, duringMaintenance, role }) => ({
      config: {
        ...(needsRecentSignIn && { needsRecentSignIn }),
        ...(duringMaintenance && { duringMaintenance }),
        ...(role && { role }),
      },
    }),
    run: (request, reply, handle) => handle({ person: signedIn.get(request), ...more(request, reply) }),
    clientOf: ({ person: { accountId } }) => ({ accountId, clientId }),
  });
}

/**
 * Whether a browser sends this for a page of another origin. Every browser since 2020 sends `Origin` with a POST, and
 * since 2023 `Sec-Fetch-Site` over https and on localhost (W3C Fetch Metadata; the OWASP CSRF cheat sheet and Go's
 * `http.CrossOriginProtection` judge in this way). What sends neither is a program, and it has nobody's cookies.
 */
function isForeign(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = request.headers;
  if (origin === undefined || origin === publicUrl) return false;
  return origin !== URL.parse(`${request.protocol}://${request.host}`)?.origin;
}
