import { Type } from 'typebox';
import type { Translate } from '#contract/texts.ts';
import { type Accounts, EMAIL_CONFIRMATION_PATH } from '#features/accounts/index.ts';
import { CONFIRMATION_PATH, type Webhooks } from '#features/webhooks/index.ts';
import { displayName } from '#platform/display-name.ts';
import { ApiError } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import { messagePage } from './pages/error-page.ts';
import { html } from './pages/html.ts';
import { textsFor } from './pages/language.ts';
import { openPages } from './pages/open-pages.ts';
import { sendPage } from './pages/send-page.ts';

/** The longest token confirms an address: a sealed ticket with two addresses in it. */
const Token = Type.Object({ token: Type.String({ maxLength: 2048 }) });

/** A link that confirms an address. */
interface Link<Found> {
  path: string;
  find(token: string): Promise<Found | undefined>;
  /** Returns false if the link is no longer valid. */
  confirm(token: string): Promise<boolean>;
  question: 'confirmAlerts' | 'confirmEmail';
  detail(t: Translate, found: Found): string;
  done: 'alertsConfirmed' | 'emailConfirmed';
  gone: 'linkGoneDetail' | 'emailLinkGoneDetail';
}

/** The targets of links in mails that confirm addresses, both of people and of alert contacts. */
export async function mailLinks(
  app: App,
  { accounts, webhooks, ...platform }: Platform & { accounts: Accounts; webhooks: Webhooks },
): Promise<void> {
  openPages(app, platform);
  linkRoutes(app, platform, {
    path: CONFIRMATION_PATH,
    find: webhooks.alerts.findConfirmation,
    confirm: webhooks.alerts.confirmContact,
    question: 'confirmAlerts',
    detail: (t, { applicationName }) =>
      t('pages.link.confirmAlertsDetail', {
        name: displayName(applicationName) ?? t('pages.consent.namelessApplication'),
      }),
    done: 'alertsConfirmed',
    gone: 'linkGoneDetail',
  });
  linkRoutes(app, platform, {
    path: EMAIL_CONFIRMATION_PATH,
    find: accounts.findEmailConfirmation,
    confirm: accounts.confirmEmail,
    question: 'confirmEmail',
    detail: (t, { email, personName }) =>
      t('pages.link.confirmEmailDetail', { email, name: displayName(personName) ?? '…' }),
    done: 'emailConfirmed',
    gone: 'emailLinkGoneDetail',
  });
}

/** A GET changes nothing, since mail programs follow links automatically: a button confirms. */
function linkRoutes<Found>(app: App, { config }: Platform, link: Link<Found>): void {
  const gone = (t: Translate) => ({
    status: 404,
    ...messagePage(t, { title: t('pages.link.linkGone'), explanation: t(`pages.link.${link.gone}`) }),
  });

  app.get(link.path, { schema: { querystring: Token } }, async (request, reply) => {
    const t = textsFor(request);
    const { token } = request.query;
    const found = await link.find(token);
    if (!found) return sendPage(reply, config, gone(t));
    const title = t(`pages.link.${link.question}`);
    return sendPage(reply, config, {
      status: 200,
      title,
      content: html`<div class="heading"><h1>${title}</h1>
<p>${link.detail(t, found)}</p></div>
<form method="post" action="${link.path}">
<input type="hidden" name="token" value="${token}">
<button>${t(`pages.link.${link.question}Button`)}</button>
</form>
<p class="rule muted small">${t(`pages.link.${link.question}Else`)}</p>`,
    });
  });

  app.post(link.path, { schema: { body: Token } }, async (request, reply) => {
    const t = textsFor(request);
    const isConfirmed = await link.confirm(request.body.token).catch((error) => {
      // Another account has taken the address in the meantime.
      if (error instanceof ApiError && error.status === 409) return false;
      throw error;
    });
    if (!isConfirmed) return sendPage(reply, config, gone(t));
    const done = { title: t(`pages.link.${link.done}`), explanation: t(`pages.link.${link.done}Detail`) };
    return sendPage(reply, config, { status: 200, ...messagePage(t, done) });
  });
}
