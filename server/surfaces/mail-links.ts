import { Type } from 'typebox';
import type { Translate } from '#contract/texts.ts';
import { type Accounts, EMAIL_CONFIRMATION_PATH } from '#features/accounts/index.ts';
import { CONFIRMATION_PATH, type Webhooks } from '#features/webhooks/index.ts';
import { ApiError } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import { errorPage } from './pages/error-page.ts';
import { textsFor } from './pages/language.ts';
import type { Page } from './pages/layout.ts';
import {
  alertsConfirmedPage,
  confirmAlertsPage,
  confirmEmailPage,
  emailConfirmedPage,
} from './pages/link-pages.ts';
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
  question(t: Translate, found: Found & { token: string }): Page;
  done(t: Translate): Page;
  gone(t: Translate): string;
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
    question: confirmAlertsPage,
    done: alertsConfirmedPage,
    gone: (t) => t('pages.link.linkGoneDetail'),
  });
  linkRoutes(app, platform, {
    path: EMAIL_CONFIRMATION_PATH,
    find: accounts.findEmailConfirmation,
    confirm: accounts.confirmEmail,
    question: confirmEmailPage,
    done: emailConfirmedPage,
    gone: (t) => t('pages.link.emailLinkGoneDetail'),
  });
}

/** A GET changes nothing, since mail programs follow links automatically: a button confirms. */
function linkRoutes<Found>(app: App, { config }: Platform, link: Link<Found>): void {
  const gone = (t: Translate) => ({
    status: 404,
    ...errorPage(t, { title: t('pages.link.linkGone'), explanation: link.gone(t) }),
  });

  app.get(link.path, { schema: { querystring: Token } }, async (request, reply) => {
    const t = textsFor(request);
    const { token } = request.query;
    const found = await link.find(token);
    if (!found) return sendPage(reply, config, gone(t));
    return sendPage(reply, config, { status: 200, ...link.question(t, { ...found, token }) });
  });

  app.post(link.path, { schema: { body: Token } }, async (request, reply) => {
    const t = textsFor(request);
    const isConfirmed = await link.confirm(request.body.token).catch((error) => {
      // Another account has taken the address in the meantime.
      if (error instanceof ApiError && error.status === 409) return false;
      throw error;
    });
    return sendPage(reply, config, isConfirmed ? { status: 200, ...link.done(t) } : gone(t));
  });
}
