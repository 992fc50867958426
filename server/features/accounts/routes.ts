import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  ChangePassword,
  ConfirmPassword,
  RevokeSession,
  Sessions,
  SignedIn,
  SignIn,
  SignUp,
} from '#contract/accounts.ts';
import { Success } from '#contract/envelope.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { listSessions, revokeSession, signOut, signOutEverywhere } from './own-sessions.ts';
import { changePassword, confirmPassword } from './passwords.ts';
import { findOwnAccount } from './service.ts';
import type { SessionCookie } from './session-cookie.ts';
import { signIn, signUp, type Visitor } from './sign-in.ts';
import type { Throttle } from './throttle.ts';

type Deps = Platform & { throttle: Throttle; cookie: SessionCookie };

const Done = Success(Type.Object({}));

/** What everybody may call: the ways in, and the way out. */
export function signInRoutes(app: App, deps: Deps): void {
  const { clock, cookie } = deps;

  app.post(
    '/sign-up',
    { schema: { body: SignUp, response: { 201: Success(SignedIn) } } },
    async (request, reply) => {
      const { account, credential } = await signUp(deps, visitor(request, cookie), request.body);
      reply.code(201).header('set-cookie', cookie.issue(credential));
      return success(clock.now(), 'account created', { account });
    },
  );

  app.post(
    '/sign-in',
    { schema: { body: SignIn, response: { 200: Success(SignedIn) } } },
    async (request, reply) => {
      const { account, credential } = await signIn(deps, visitor(request, cookie), request.body);
      reply.header('set-cookie', cookie.issue(credential));
      return success(clock.now(), 'signed in', { account });
    },
  );

  app.post('/sign-out', { schema: { response: { 200: Done } } }, async ({ headers }, reply) => {
    await signOut(deps, cookie.read(headers.cookie));
    reply.header('set-cookie', cookie.clear());
    return success(clock.now(), 'signed out', {});
  });
}

/** What a person does with the own account and sessions. */
export function ownAccountRoutes(app: App, deps: Deps): void {
  const { db, clock, cookie } = deps;

  app.get('/session', { schema: { response: { 200: Success(SignedIn) } } }, async ({ person }) =>
    success(clock.now(), 'you are signed in', { account: await findOwnAccount(db, person.accountId) }),
  );

  app.get('/sessions', { schema: { response: { 200: Success(Sessions) } } }, async ({ person }) =>
    success(clock.now(), 'your sessions', await listSessions(deps, person)),
  );

  app.post(
    '/sessions/revoke',
    { schema: { body: RevokeSession, response: { 200: Done } } },
    async ({ person, body }, reply) => {
      const { isCurrent } = await revokeSession(deps, person, body.sessionId);
      if (isCurrent) reply.header('set-cookie', cookie.clear());
      return success(clock.now(), 'session ended', {});
    },
  );

  app.post('/sign-out-everywhere', { schema: { response: { 200: Done } } }, async ({ person }, reply) => {
    await signOutEverywhere(deps, person);
    reply.header('set-cookie', cookie.clear());
    return success(clock.now(), 'signed out everywhere', {});
  });

  app.post(
    '/password',
    { schema: { body: ChangePassword, response: { 200: Done } } },
    async (request, reply) => {
      const { person, body } = request;
      const credential = await changePassword(deps, person, visitor(request, cookie), body);
      reply.header('set-cookie', cookie.issue(credential));
      return success(clock.now(), 'password changed; all other sessions ended', {});
    },
  );

  app.post('/confirm', { schema: { body: ConfirmPassword, response: { 200: Done } } }, async (request) => {
    const { person, body } = request;
    await confirmPassword(deps, person, visitor(request, cookie), body.password);
    return success(clock.now(), 'password confirmed', {});
  });
}

/** Where a request comes from, as far as sign-in cares. */
export function visitor({ ip, headers }: FastifyRequest, cookie: SessionCookie): Visitor {
  return {
    address: ip,
    userAgent: headers['user-agent'] ?? '',
    credential: cookie.read(headers.cookie),
  };
}
