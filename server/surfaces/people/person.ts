import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '#contract/applications/team.ts';
import type { EndpointFor } from '#contract/endpoints.ts';
import {
  type Accounts,
  type Browser,
  findTermsToAccept,
  type Person,
  requireRecentSignIn,
} from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import { ApiError, notSignedIn, permissionDenied } from '#platform/errors.ts';
import { type App, takeLargeBodies } from '#platform/http/app.ts';
import { clientAddress } from '#platform/http/client-address.ts';
import { RequestSlot } from '#platform/http/connections/request-slot.ts';
import { requestFields } from '#platform/http/error-handler.ts';
import { requireInReach } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Requires a sign-in within the last 10 minutes, for routes that reveal or create secrets, change where they are sent,
     * or delete.
     */
    needsRecentSignIn?: boolean;
    /** The role in an application's team that the route requires. */
    role?: Role;
  }
}

/** The person who is signed in. */
const signedIn = new RequestSlot<Person>();

const READS = new Set(['GET', 'HEAD']);

/** Common to all surfaces for browsers: no caching, and no mutations from foreign pages. */
export function guardPages(app: App, { config }: Platform): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (!READS.has(request.method) && isForeign(request, config.publicUrl)) {
      throw permissionDenied('http.other-site');
    }
  });
}

/** Requires a session on every route of the surface, before the body is read. */
export function requirePerson(app: App, platform: Platform & { accounts: Accounts }): void {
  guardPages(app, platform);
  takeLargeBodies(app);
  app.addHook('onRequest', async (request) => {
    const person = await platform.accounts.findPerson(request.headers.cookie);
    // No WWW-Authenticate: a session is not an HTTP authentication scheme, and `Bearer` would mislead clients.
    if (!person) throw notSignedIn('session.missing');
    signedIn.set(request, person);
    const { conversationId, groupId } = request.params as Record<string, string | undefined>;
    await requireInReach(platform.shards, { conversationId: conversationId ?? groupId });
  });
  // Also after the checks of each surface: nobody confirms a sign-in only to be refused.
  app.addHook('preParsing', async (request) => {
    if (request.route.config.needsRecentSignIn) requireRecentSignIn(personOf(request), platform.clock.now());
  });
}

/**
 * Behind {@link requirePerson}: refuses people who have not accepted the server's terms. Account routes stay available, to
 * accept the terms, export the data or delete the account.
 */
export function requireTerms(app: App, { config }: Platform): void {
  app.addHook('onRequest', async (request) => {
    const url = findTermsToAccept(personOf(request), config);
    if (url !== undefined) throw permissionDenied('terms.not-accepted', { url });
  });
}

/**
 * Behind {@link requirePerson}: refuses what a team member may not do, before the body is read. Requests of people outside
 * the team continue; the service answers that the application does not exist.
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

/** The signed-in person, behind {@link requirePerson}; for the builders of surfaces. */
export function personOf(request: FastifyRequest): Person {
  return signedIn.get(request);
}

/** Logs one line for each 403 of a console. */
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

/** The demands of an endpoint on its caller, for the hooks of its surface. */
export function describeForPeople({ needs, duringMaintenance, role }: EndpointFor['developer']) {
  return {
    config: {
      ...(needs && { needsRecentSignIn: true }),
      ...(duringMaintenance && { duringMaintenance }),
      ...(role && { role }),
    },
  };
}

/**
 * Whether a browser sent this for a page of another origin. Every browser since 2020 sends `Origin` with a POST, and since
 * 2023 `Sec-Fetch-Site` over https and on localhost (W3C Fetch Metadata; the OWASP CSRF cheat sheet and Go's
 * `http.CrossOriginProtection` use the same rule). A client that sends neither is a program, without anybody's cookies.
 */
function isForeign(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = request.headers;
  if (origin === undefined || origin === publicUrl) return false;
  return origin !== URL.parse(`${request.protocol}://${request.host}`)?.origin;
}

/** The browser behind a request, for routes that begin or end its session. */
export function browserOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { cookie, isSignedIn = false }: Pick<Accounts, 'cookie'> & { isSignedIn?: boolean },
): Browser {
  const { id: requestId, headers, protocol, host } = request;
  return {
    address: clientAddress(request),
    userAgent: headers['user-agent'] ?? '',
    site: { protocol, host },
    credential: cookie.read(headers.cookie),
    isSignedIn,
    requestId,
    deviceToken: (accountId) => cookie.readDevice(headers.cookie, accountId),
    keep: (signedIn) => void reply.header('set-cookie', cookie.enter(signedIn)),
    forget: () => void reply.header('set-cookie', cookie.clear()),
    recall: (name) => cookie.readOf(name, headers.cookie),
    remember: (name, value) => void reply.header('set-cookie', cookie.setOf(name, value)),
  };
}
