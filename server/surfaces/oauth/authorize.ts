import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Authorize } from '#contract/oauth.ts';
import { TERMS_PATH, withReturnTo } from '#contract/return-to.ts';
import type { Translate } from '#contract/texts.ts';
import { type Accounts, findTermsToAccept } from '#features/accounts/index.ts';
import {
  type AuthorizationFault,
  isOnDevice,
  type OAuth,
  type Redirection,
  type SignInFirst,
} from '#features/oauth/index.ts';
import type { App } from '#platform/http/app.ts';
import { parseStrictQuery, toAscii } from '#platform/http/parsing/form.ts';
import type { Platform } from '#platform/platform.ts';
import { consentPage } from '../pages/consent-page.ts';
import { messagePage } from '../pages/error-page.ts';
import { textsFor } from '../pages/language.ts';
import { openPages } from '../pages/open-pages.ts';
import { type PageAnswer, sendOn, sendPage } from '../pages/send-page.ts';

const Decision = Type.Object({
  consent: Type.String(),
  decision: Type.Enum(['approve', 'deny'] as const),
});

const page = (description: string) => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
});

/** For the reference only; the handler parses the query itself. */
const authorizeSchema = {
  operationId: 'authorize',
  summary: 'Ask the user for consent',
  description:
    'Open it in the user’s browser, not from a server. It shows a page that asks the user to sign in and to consent. ' +
    'After the decision the browser is redirected to `redirect_uri` with `code`, `state` and `iss`, or with ' +
    '`error=access_denied`, `state` and `iss`.',
  tags: ['OAuth'],
  querystring: Authorize,
  response: {
    200: page('The page that asks for consent.'),
    303: {
      type: 'null',
      description: 'The user has to sign in, or to accept the terms of the server, first.',
      headers: { Location: { type: 'string', description: 'The page for that, which leads back here.' } },
    },
    400: page('A page that says which parameter is missing or invalid.'),
    404: page('A page that says that the application is unknown or not active.'),
    500: page('A page that says that an unexpected error happened.'),
    503: page('A page that says that the service is busy or its database is away.'),
  },
};

/** The page where a person decides what an application may do: `GET /oauth/authorize` (contract §4). */
export async function authorize(
  app: App,
  platform: Platform & { accounts: Accounts; oauth: OAuth },
): Promise<void> {
  const { config, accounts, oauth } = platform;
  openPages(app, platform);

  const described = { schema: authorizeSchema, validatorCompiler: () => () => true };
  app.get('/oauth/authorize', described, async (request, reply) => {
    const query = parseStrictQuery(request.url);
    const person = await accounts.findPerson(request.headers.cookie);
    const returnTo = toAscii(request.url);
    // The server fetches a client's published document only for signed-in people.
    if (!person && oauth.isPublishedClient(query['client_id']))
      return sendOn(reply, withReturnTo('/sign-in', returnTo));
    const asking = await oauth.readAuthorizationRequest(query, person?.accountId);
    if ('fault' in asking) return sendPage(reply, config, faultPage(textsFor(request), asking));
    if ('redirectTo' in asking) return sendOn(reply, asking.redirectTo);
    const { openId } = asking;
    const step = openId && (await oauth.proceedWithOpenId({ asking, openId, person, url: returnTo }));
    if (step) return takeStep(request, reply, step);
    if (!person) return sendOn(reply, withReturnTo('/sign-in', returnTo));
    if (findTermsToAccept(person, config) !== undefined)
      return sendOn(reply, withReturnTo(TERMS_PATH, returnTo));
    const { application, request: asked } = asking;
    const [account, grantedBefore] = await Promise.all([
      accounts.findOwn(person.accountId),
      oauth.findEarlierGrants(person.accountId, application.appId),
    ]);
    const page = consentPage(textsFor(request), {
      applicationName: application.name,
      redirectUri: asked.redirectUri,
      scopes: asked.scopes,
      clientUrl: asked.published?.url,
      isOnDevice: isOnDevice(asked.redirectUri),
      grantedBefore,
      person: account,
      consent: oauth.createConsent({ request: asked, person }),
      returnTo,
    });
    return sendPage(reply, config, { status: 200, formTargets: formTargets(asked.redirectUri), ...page });
  });

  app.post('/oauth/consent', { schema: { body: Decision } }, async (request, reply) => {
    const person = await accounts.findPerson(request.headers.cookie);
    if (!person) return sendPage(reply, config, sessionEndedPage(textsFor(request)));
    const { consent, decision } = request.body;
    return takeStep(
      request,
      reply,
      await oauth.decideConsent({ consent, person, isApproved: decision === 'approve' }),
    );
  });

  function takeStep(
    request: FastifyRequest,
    reply: FastifyReply,
    step: Redirection | AuthorizationFault | SignInFirst,
  ): FastifyReply {
    if ('fault' in step) return sendPage(reply, config, faultPage(textsFor(request), step));
    return sendOn(reply, 'redirectTo' in step ? step.redirectTo : toSignInAgain(step));
  }
}

/** The sign-in page for a person who may already be signed in. */
function toSignInAgain({ returnTo, loginHint }: SignInFirst): string {
  const hint = loginHint === undefined ? '' : `&email=${encodeURIComponent(loginHint)}`;
  return `${withReturnTo('/sign-in', returnTo)}&again=yes${hint}`;
}

/**
 * Chromium applies `form-action` to every redirect that follows a form, including those of the application's server.
 * Allowing its origin alone would break applications that redirect to another of their hosts.
 */
function formTargets(redirectUri: string): string {
  if (redirectUri.startsWith('https:')) return ' https:';
  const [, host] = /^http:\/\/(localhost|127\.0\.0\.1)/.exec(redirectUri) ?? [];
  // Policies cannot name an IPv6 address.
  return host === undefined ? ' http: https:' : ` http://${host}:* https:`;
}

function faultPage(t: Translate, { page, fault }: AuthorizationFault): PageAnswer {
  const trouble =
    page === 404
      ? { title: t('pages.error.unknownApplication'), explanation: t('pages.error.unknownApplicationDetail') }
      : { title: t('pages.error.notRight'), explanation: t('pages.error.authorizeNotRightDetail') };
  return { status: page, ...messagePage(t, { ...trouble, detail: fault }) };
}

function sessionEndedPage(t: Translate): PageAnswer {
  return {
    status: 401,
    ...messagePage(t, {
      title: t('pages.error.sessionEnded'),
      explanation: t('pages.error.sessionEndedDetail'),
    }),
  };
}
