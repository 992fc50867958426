import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  ChangePassword,
  RevokeSession,
  Sessions,
  SignedIn,
  SignIn,
  SignInStep,
  SignUp,
} from '#contract/accounts.ts';
import { Success } from '#contract/envelope.ts';
import { PasskeyQuestion, SignInByCode, SignInByPasskey } from '#contract/second-factors.ts';
import type { App } from '#platform/http/app.ts';
import { clientAddress } from '#platform/http/client-address.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { askForPasskey } from '../second-factor/prove-passkey.ts';
import { findRelyingParty } from '../second-factor/relying-party.ts';
import { findOwnAccount } from '../service.ts';
import { listSessions, revokeSession, signOut, signOutEverywhere } from '../sessions/own-sessions.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import type { Visitor } from './enter.ts';
import { changePassword } from './passwords.ts';
import { signIn, signInByCode } from './sign-in.ts';
import { signInByPasskey } from './sign-in-by-passkey.ts';
import { signUp } from './sign-up.ts';
import type { Throttle } from './throttle.ts';

type Deps = Platform & { throttle: Throttle; cookie: SessionCookie };

const Done = Success(Type.Object({}));

/** What everybody may call: the ways in, and the way out. */
export function signInRoutes(app: App, deps: Deps): void {
  const { clock, cookie, config } = deps;

  app.post(
    '/sign-up',
    { schema: { body: SignUp, response: { 201: Success(SignedIn) } } },
    async (request, reply) => {
      const signedIn = await signUp(deps, visitor(request, cookie), request.body);
      reply.code(201).header('set-cookie', cookie.enter(signedIn));
      return success(clock.now(), 'account created', { account: signedIn.account });
    },
  );

  app.post(
    '/sign-in',
    { schema: { body: SignIn, response: { 200: Success(SignInStep) } } },
    async (request, reply) => {
      const step = await signIn(deps, visitor(request, cookie), request.body);
      if ('ticket' in step) return success(clock.now(), 'a code is to follow', { secondFactor: step });
      reply.header('set-cookie', cookie.enter(step));
      return success(clock.now(), 'signed in', { account: step.account });
    },
  );

  app.post(
    '/sign-in/code',
    { schema: { body: SignInByCode, response: { 200: Success(SignedIn) } } },
    async (request, reply) => {
      const signedIn = await signInByCode(deps, visitor(request, cookie), request.body);
      reply.header('set-cookie', cookie.enter(signedIn));
      return success(clock.now(), 'signed in', { account: signedIn.account });
    },
  );

  app.post(
    '/sign-in/passkey/options',
    { schema: { response: { 200: Success(PasskeyQuestion) } } },
    async (request) => {
      const party = findRelyingParty(config, request);
      const asked = { purpose: 'passkey-sign-in', holder: undefined } as const;
      return success(clock.now(), 'ask for a passkey', await askForPasskey(deps, party, asked));
    },
  );

  app.post(
    '/sign-in/passkey',
    { schema: { body: SignInByPasskey, response: { 200: Success(SignedIn) } } },
    async (request, reply) => {
      const party = findRelyingParty(config, request);
      const signedIn = await signInByPasskey(deps, party, visitor(request, cookie), request.body);
      reply.header('set-cookie', cookie.enter(signedIn));
      return success(clock.now(), 'signed in', { account: signedIn.account });
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
      const session = await changePassword(deps, person, visitor(request, cookie), body);
      reply.header('set-cookie', cookie.enter(session));
      return success(clock.now(), 'password changed; all other sessions ended', {});
    },
  );
}

/** Where a request comes from, as far as sign-in cares. */
export function visitor(request: FastifyRequest, cookie: SessionCookie): Visitor {
  const { id, headers, person } = request;
  return {
    address: clientAddress(request),
    userAgent: headers['user-agent'] ?? '',
    credential: cookie.read(headers.cookie),
    isSignedIn: person != null,
    requestId: id,
    deviceToken: (accountId) => cookie.readDevice(headers.cookie, accountId),
  };
}
