import { Type } from 'typebox';
import { LANGUAGES, type Language, languageCookie } from '#contract/languages.ts';
import { safeReturnTo, TERMS_PATH, withReturnTo } from '#contract/return-to.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { App } from '#platform/http/app.ts';
import { parseStrictQuery } from '#platform/http/parsing/form.ts';
import type { Platform } from '#platform/platform.ts';
import { browserOf } from '../people/person.ts';
import { readPage } from '../web.ts';
import { openPages } from './open-pages.ts';
import { HEADERS, sendOn } from './send-page.ts';

const returnTo = Type.Optional(Type.String());
const SignOutForm = Type.Object({ returnTo });
const LanguageForm = Type.Object({
  language: Type.Unsafe<Language>({ type: 'string', enum: Object.keys(LANGUAGES) }),
  returnTo,
});

/** The page where people sign in on the way to another, and the forms of pages without scripts. */
export async function signInPages(app: App, platform: Platform & { accounts: Accounts }): Promise<void> {
  const { config, accounts } = platform;
  openPages(app, platform);
  const send = await readPage('sign-in', platform);

  for (const path of ['/sign-in', '/sign-up'])
    app.get(path, async (request, reply) => {
      const { again, returnTo } = parseStrictQuery(request.url);
      if (again === undefined && (await accounts.findPerson(request.headers.cookie)))
        return sendOn(reply, safeReturnTo(returnTo));
      return send(reply, HEADERS);
    });

  app.get(TERMS_PATH, (_request, reply) => send(reply, HEADERS));

  const open = { config: { duringMaintenance: true } } as const;
  app.post('/sign-out', { ...open, schema: { body: SignOutForm } }, async (request, reply) => {
    const browser = browserOf(request, reply, accounts);
    await accounts.signOut(browser.credential);
    browser.forget();
    return sendOn(reply, withReturnTo('/sign-in', safeReturnTo(request.body.returnTo)));
  });

  app.post('/language', { ...open, schema: { body: LanguageForm } }, async ({ body }, reply) => {
    reply.header(
      'set-cookie',
      languageCookie(body.language, { isSecure: config.publicUrl?.startsWith('https:') ?? false }),
    );
    return sendOn(reply, safeReturnTo(body.returnTo));
  });
}
