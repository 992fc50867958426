import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Translate } from '#contract/texts.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { LogoutRequest, OAuth } from '#features/oauth/index.ts';
import type { App } from '#platform/http/app.ts';
import { parseStrictQuery } from '#platform/http/parsing/form.ts';
import type { Platform } from '#platform/platform.ts';
import { signedInAs } from '../pages/consent-page.ts';
import { messagePage } from '../pages/error-page.ts';
import { html } from '../pages/html.ts';
import { textsFor } from '../pages/language.ts';
import type { Page } from '../pages/layout.ts';
import { openPages } from '../pages/open-pages.ts';
import { sendOn, sendPage } from '../pages/send-page.ts';
import { browserOf } from '../people/person.ts';
import { type ExtensionDeps, whileInUse } from '../while-in-use.ts';

const PATH = '/oauth/logout';
const Confirmed = Type.Record(Type.String(), Type.String());

/** Where applications send people to sign out of this server as well (OpenID Connect RP-Initiated Logout). */
export async function logout(
  app: App,
  platform: Platform & ExtensionDeps & { accounts: Accounts; oauth: OAuth },
): Promise<void> {
  const { config, accounts, oauth } = platform;
  const { openId } = oauth;
  const schema = { hide: true };

  whileInUse(app, platform, 'openid');
  openPages(app, platform);

  app.get(PATH, { schema }, async (request, reply) => {
    const query = parseStrictQuery(request.url);
    const asked = await openId.readLogoutRequest(query);
    if ('fault' in asked) return refuse(request, reply, asked);
    const person = await accounts.findPerson(request.headers.cookie);
    if (!person) return finish(request, reply, asked);
    if (await openId.isProvenLogout(asked, person)) return signOut(request, reply, asked);
    const { client_id, post_logout_redirect_uri, state } = query;
    const kept = { client_id: asked.appId ?? client_id, post_logout_redirect_uri, state };
    return sendPage(reply, config, {
      status: 200,
      formTargets: ' https: http://localhost:*',
      ...signOutPage(textsFor(request), { kept, person: await accounts.findOwn(person.accountId) }),
    });
  });

  app.post(`${PATH}/confirm`, { schema: { ...schema, body: Confirmed } }, async (request, reply) => {
    const asked = await openId.readLogoutRequest(request.body);
    return 'fault' in asked ? refuse(request, reply, asked) : signOut(request, reply, asked);
  });

  async function signOut(request: FastifyRequest, reply: FastifyReply, asked: LogoutRequest) {
    const person = await accounts.findPerson(request.headers.cookie);
    if (person) await openId.endSignIn(person, asked.appId);
    const browser = browserOf(request, reply, accounts);
    await accounts.signOut(browser.credential);
    browser.forget();
    return finish(request, reply, asked);
  }

  function finish(request: FastifyRequest, reply: FastifyReply, { redirectTo }: LogoutRequest) {
    if (redirectTo !== undefined) return sendOn(reply, redirectTo);
    return sendPage(reply, config, { status: 200, ...signedOutPage(textsFor(request)) });
  }

  function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    { fault }: Extract<Awaited<ReturnType<typeof openId.readLogoutRequest>>, { fault: unknown }>,
  ) {
    const t = textsFor(request);
    const trouble = {
      title: t('pages.error.notRight'),
      explanation: t('pages.logout.logoutNotRightDetail'),
      detail: fault,
    };
    return sendPage(reply, config, { status: 400, ...messagePage(t, trouble) });
  }
}

function signOutPage(
  t: Translate,
  { kept, person }: { kept: Record<string, string | undefined>; person: { name: string; email: string } },
): Page {
  const fields = Object.entries(kept).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    title: t('pages.logout.signOutHere'),
    content: html`<div class="heading"><h1>${t('pages.logout.signOutHere')}</h1>
<p>${t('pages.logout.signOutHereDetail')}</p></div>
<div class="who">${signedInAs(t, person)}</div>
<form method="post" action="/oauth/logout/confirm">
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>${t('pages.logout.signOut')}</button>
</form>
<p class="rule"><a href="/">${t('pages.logout.staySignedIn')}</a></p>`,
  };
}

function signedOutPage(t: Translate): Page {
  return {
    title: t('pages.logout.signedOut'),
    content: html`<div class="heading"><h1>${t('pages.logout.signedOut')}</h1>
<p>${t('pages.logout.signedOutDetail')}</p></div>
<p class="rule"><a href="/sign-in">${t('pages.account.signIn')}</a></p>`,
  };
}
