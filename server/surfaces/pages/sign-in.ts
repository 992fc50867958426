import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { SignInByCode } from '#contract/accounts/second-factors.ts';
import { PASSWORD_LENGTH, SignIn, SignUp } from '#contract/accounts.ts';
import { LANGUAGES, type Language } from '#contract/languages.ts';
import type { Translate } from '#contract/texts.ts';
import type { Accounts, Browser, SecondStep, SignedIn } from '#features/accounts/index.ts';
import { ApiError } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { parseStrictQuery } from '#platform/http/parsing/form.ts';
import type { Platform } from '#platform/platform.ts';
import { messageIn } from '#platform/texts.ts';
import { browserOf } from '../people/person.ts';
import {
  type AccountForm,
  checkMailPage,
  codePage,
  type FieldName,
  type FormFault,
  signInPage,
  signUpPage,
} from './account-pages.ts';
import { languageCookie, languageOf, textsFor } from './language.ts';
import type { Page } from './layout.ts';
import { openPages } from './open-pages.ts';
import { safeReturnTo, withReturnTo } from './return-to.ts';
import { sendOn, sendPage } from './send-page.ts';

const returnTo = Type.Optional(Type.String());
const SignInForm = Type.Object({ ...SignIn.properties, returnTo });
const SignUpForm = Type.Object({ ...SignUp.properties, returnTo });
const CodeForm = Type.Object({ ...SignInByCode.properties, returnTo });
const SignOutForm = Type.Object({ returnTo });
const LanguageForm = Type.Object({
  language: Type.Unsafe<Language>({ type: 'string', enum: Object.keys(LANGUAGES) }),
  returnTo,
});

/** Sign-in pages: the same rules as `/api/auth`, for browsers without scripts. */
export async function signInPages(app: App, platform: Platform & { accounts: Accounts }): Promise<void> {
  const { config, accounts } = platform;
  openPages(app, platform);

  const show = (path: '/sign-in' | '/sign-up', page: (t: Translate, form: AccountForm) => Page) =>
    app.get(path, async (request, reply) => {
      const { again, email, invitation, ...query } = parseStrictQuery(request.url);
      const returnTo = safeReturnTo(query['returnTo']);
      const isAgain = again !== undefined;
      if (!isAgain && (await accounts.findPerson(request.headers.cookie))) return sendOn(reply, returnTo);
      const form = { returnTo, typed: isAgain ? { email } : {}, invitation };
      return sendPage(reply, config, { status: 200, ...page(textsFor(request), form) });
    });

  /** Signs the person in and redirects, or shows the form again with the error. */
  async function enter(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (browser: Browser) => Promise<SignedIn | SecondStep | { confirmationTo: string }>,
    page: (t: Translate, form: AccountForm) => Page,
  ): Promise<FastifyReply> {
    try {
      if (request.validationError) throw request.validationError;
      const browser = browserOf(request, reply, accounts);
      const step = await work(browser);
      if ('confirmationTo' in step) return showCheckMail(request, reply, step.confirmationTo);
      if ('ticket' in step) return showCodePage(request, reply, { status: 200, ticket: step.ticket });
      browser.keep(step);
    } catch (error) {
      const fault = findFormFault(textsFor(request), error);
      if (!fault) throw error;
      const { name, email, returnTo, invitation } = request.body as Record<string, string | undefined>;
      const { status, headers } = error instanceof ApiError ? error : { status: 400, headers: {} };
      const form = { returnTo: safeReturnTo(returnTo), typed: { name, email }, fault, invitation };
      return sendPage(reply.headers(headers), config, { status, ...page(textsFor(request), form) });
    }
    return sendOn(reply, safeReturnTo((request.body as { returnTo?: string }).returnTo));
  }

  function showCheckMail(request: FastifyRequest, reply: FastifyReply, email: string): FastifyReply {
    const returnTo = safeReturnTo((request.body as { returnTo?: string }).returnTo);
    return sendPage(reply, config, { status: 200, ...checkMailPage(textsFor(request), { email, returnTo }) });
  }

  function showCodePage(
    request: FastifyRequest,
    reply: FastifyReply,
    { status, ticket, fault }: { status: number; ticket: string; fault?: FormFault },
  ): FastifyReply {
    const returnTo = safeReturnTo((request.body as { returnTo?: string }).returnTo);
    return sendPage(reply, config, { status, ...codePage(textsFor(request), { returnTo, ticket, fault }) });
  }

  const open = { config: { duringMaintenance: true } } as const;
  show('/sign-in', signInPage);
  app.post('/sign-in', { ...open, schema: { body: SignInForm }, attachValidation: true }, (request, reply) =>
    enter(
      request,
      reply,
      (browser) => accounts.signIn(browser, { ...request.body, language: languageOf(request) }),
      signInPage,
    ),
  );

  app.post('/sign-in/code', { ...open, schema: { body: CodeForm } }, async (request, reply) => {
    const { ticket, code } = request.body;
    try {
      const browser = browserOf(request, reply, accounts);
      browser.keep(await accounts.signInByCode(browser, { ticket, code }));
    } catch (error) {
      const fault = findCodeFault(textsFor(request), error);
      if (!fault) throw error;
      const { status, headers } = error as ApiError;
      return showCodePage(request, reply.headers(headers), { status, ticket, fault });
    }
    return sendOn(reply, safeReturnTo(request.body.returnTo));
  });

  const newAccountPage = (t: Translate, form: AccountForm) => signUpPage(t, form, accounts.showSignUpRules());
  show('/sign-up', newAccountPage);
  app.post('/sign-up', { schema: { body: SignUpForm }, attachValidation: true }, (request, reply) =>
    enter(
      request,
      reply,
      (browser) => accounts.signUp(browser, { ...request.body, language: languageOf(request) }),
      newAccountPage,
    ),
  );

  app.post('/sign-out', { ...open, schema: { body: SignOutForm } }, async (request, reply) => {
    const browser = browserOf(request, reply, accounts);
    await accounts.signOut(browser.credential);
    browser.forget();
    return sendOn(reply, withReturnTo('/sign-in', safeReturnTo(request.body.returnTo)));
  });

  app.post('/language', { ...open, schema: { body: LanguageForm } }, async ({ body }, reply) => {
    reply.header('set-cookie', languageCookie(body.language, config));
    return sendOn(reply, safeReturnTo(body.returnTo));
  });
}

function wanted(t: Translate): Record<FieldName, string> {
  return {
    name: t('pages.account.wantedName'),
    email: t('pages.account.wantedEmail'),
    code: t('pages.account.wantedCode'),
    password: t('pages.account.wantedPassword', { min: PASSWORD_LENGTH.min, max: PASSWORD_LENGTH.max }),
  };
}

/** An error that the person can correct in the form, in words for a page; undefined for other errors. */
function findFormFault(t: Translate, error: unknown): FormFault | undefined {
  if (error instanceof ApiError) return explain(t, error);
  const [fault] = (error as Partial<FastifyError>).validation ?? [];
  if (!fault) return undefined;
  const field = fault.keyword === 'required' ? fault.params['missingProperty'] : fault.instancePath.slice(1);
  const words: Record<string, string> = wanted(t);
  const message = typeof field === 'string' && Object.hasOwn(words, field) ? words[field] : undefined;
  return message === undefined ? undefined : { field: field as FieldName, message };
}

function explain(t: Translate, { status, headers, message, said }: ApiError): FormFault | undefined {
  const { reason = '' } = said;
  if (/^(sign-up\.|account\.email-unconfirmed|field\.terms)/.test(reason))
    return { message: messageIn(t.language, said) };
  switch (status) {
    case 400:
      // Only errors that the schema cannot detect get here.
      return message.startsWith('password ')
        ? { field: 'password', message: t('pages.account.leakedPassword') }
        : { field: 'email', message: t('pages.account.wantedEmail') };
    case 401:
      return { message: t('pages.account.wrongPassword') };
    case 409:
      return {
        field: 'email',
        message: t('pages.account.takenEmail'),
      };
    case 429:
      return {
        message: t('pages.account.tooManyAttempts', {
          minutes: Math.ceil(Number(headers['retry-after']) / 60),
        }),
      };
    default:
      return undefined;
  }
}

/** The same for the code page. */
function findCodeFault(t: Translate, error: unknown): FormFault | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 429) return explain(t, error);
  if (error.status !== 401) return undefined;
  return error.said.reason === 'sign-in.wrong-code'
    ? { field: 'code', message: t('pages.account.wrongCode') }
    : { message: t('pages.account.tookTooLong') };
}
