import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { SignIn, SignUp } from '#contract/accounts.ts';
import { SignInByCode } from '#contract/second-factors.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { signOut } from '#features/accounts/sessions/own-sessions.ts';
import type { SignedIn } from '#features/accounts/sign-in/enter.ts';
import { visitor } from '#features/accounts/sign-in/routes.ts';
import { type SecondStep, signIn, signInByCode } from '#features/accounts/sign-in/sign-in.ts';
import { signUp } from '#features/accounts/sign-in/sign-up.ts';
import type { Throttle } from '#features/accounts/sign-in/throttle.ts';
import { ApiError } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { parseStrictQuery } from '#platform/http/form.ts';
import type { Platform } from '#platform/platform.ts';
import { type AccountForm, codePage, type FormFault, signInPage, signUpPage } from './account-pages.ts';
import { openPages } from './door.ts';
import { findCodeFault, findFormFault } from './form-fault.ts';
import { LANGUAGES, type Language, languageCookie, textsFor } from './language.ts';
import type { Page } from './layout.ts';
import { safeReturnTo, withReturnTo } from './return-to.ts';
import { sendOn, sendPage } from './send-page.ts';
import type { PageTexts } from './texts/en.ts';

const returnTo = Type.Optional(Type.String());
const SignInForm = Type.Object({ ...SignIn.properties, returnTo });
const SignUpForm = Type.Object({ ...SignUp.properties, returnTo });
const CodeForm = Type.Object({ ...SignInByCode.properties, returnTo });
const SignOutForm = Type.Object({ returnTo });
const LanguageForm = Type.Object({
  language: Type.Unsafe<Language>({ type: 'string', enum: Object.keys(LANGUAGES) }),
  returnTo,
});

/** The door of the pages by which people come in: the same rules as `/api/auth`, for browsers without scripts. */
export async function signInPages(
  app: App,
  platform: Platform & { accounts: Accounts; throttle: Throttle },
): Promise<void> {
  const { config, accounts } = platform;
  const { cookie } = accounts;
  openPages(app, platform);

  const show = (path: '/sign-in' | '/sign-up', page: (t: PageTexts, form: AccountForm) => Page) =>
    app.get(path, async (request, reply) => {
      const returnTo = safeReturnTo(parseStrictQuery(request.url)['returnTo']);
      if (await accounts.findPerson(request.headers.cookie)) return sendOn(reply, returnTo);
      return sendPage(reply, config, { status: 200, ...page(textsFor(request), { returnTo, typed: {} }) });
    });

  /** Does what the form asks for and lets the person go on, or shows the form again with what is wrong with it. */
  async function enter(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<SignedIn | SecondStep>,
    page: (t: PageTexts, form: AccountForm) => Page,
  ): Promise<FastifyReply> {
    try {
      if (request.validationError) throw request.validationError;
      const step = await work();
      if ('ticket' in step) return showCodePage(request, reply, { status: 200, ticket: step.ticket });
      reply.header('set-cookie', cookie.enter(step));
    } catch (error) {
      const fault = findFormFault(textsFor(request), error);
      if (!fault) throw error;
      const { name, email, returnTo } = request.body as Record<string, string | undefined>;
      const { status, headers } = error instanceof ApiError ? error : { status: 400, headers: {} };
      const form = { returnTo: safeReturnTo(returnTo), typed: { name, email }, fault };
      return sendPage(reply.headers(headers), config, { status, ...page(textsFor(request), form) });
    }
    return sendOn(reply, safeReturnTo((request.body as { returnTo?: string }).returnTo));
  }

  function showCodePage(
    request: FastifyRequest,
    reply: FastifyReply,
    { status, ticket, fault }: { status: number; ticket: string; fault?: FormFault },
  ): FastifyReply {
    const returnTo = safeReturnTo((request.body as { returnTo?: string }).returnTo);
    return sendPage(reply, config, { status, ...codePage(textsFor(request), { returnTo, ticket, fault }) });
  }

  show('/sign-in', signInPage);
  app.post('/sign-in', { schema: { body: SignInForm }, attachValidation: true }, (request, reply) =>
    enter(request, reply, () => signIn(platform, visitor(request, cookie), request.body), signInPage),
  );

  app.post('/sign-in/code', { schema: { body: CodeForm } }, async (request, reply) => {
    const { ticket, code } = request.body;
    try {
      const signedIn = await signInByCode(platform, visitor(request, cookie), { ticket, code });
      reply.header('set-cookie', cookie.enter(signedIn));
    } catch (error) {
      const fault = findCodeFault(textsFor(request), error);
      if (!fault) throw error;
      const { status, headers } = error as ApiError;
      return showCodePage(request, reply.headers(headers), { status, ticket, fault });
    }
    return sendOn(reply, safeReturnTo(request.body.returnTo));
  });

  show('/sign-up', signUpPage);
  app.post('/sign-up', { schema: { body: SignUpForm }, attachValidation: true }, (request, reply) =>
    enter(request, reply, () => signUp(platform, visitor(request, cookie), request.body), signUpPage),
  );

  app.post('/sign-out', { schema: { body: SignOutForm } }, async ({ headers, body }, reply) => {
    await signOut(platform, cookie.read(headers.cookie));
    reply.header('set-cookie', cookie.clear());
    return sendOn(reply, withReturnTo('/sign-in', safeReturnTo(body.returnTo)));
  });

  app.post('/language', { schema: { body: LanguageForm } }, async ({ body }, reply) => {
    reply.header('set-cookie', languageCookie(body.language, config));
    return sendOn(reply, safeReturnTo(body.returnTo));
  });
}
