import type { Translate } from '#contract/texts.ts';
import { EMAIL_CONFIRMATION_PATH } from '#features/accounts/index.ts';
import { CONFIRMATION_PATH } from '#features/webhooks/index.ts';
import { displayName } from '#platform/display-name.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';

interface Question {
  title: string;
  detail: string;
  path: string;
  token: string;
  button: string;
  otherwise: string;
}

function questionPage({ title, detail, path, token, button, otherwise }: Question): Page {
  return {
    title,
    content: html`<div class="heading"><h1>${title}</h1>
<p>${detail}</p></div>
<form method="post" action="${path}">
<input type="hidden" name="token" value="${token}">
<button>${button}</button>
</form>
<p class="rule muted small">${otherwise}</p>`,
  };
}

function donePage(title: string, detail: string): Page {
  return { title, content: html`<div class="heading"><h1>${title}</h1>\n<p>${detail}</p></div>` };
}

/** Asks whether an application's alerts may be sent to the address that received the link. */
export function confirmAlertsPage(
  t: Translate,
  { applicationName, token }: { applicationName: string; token: string },
): Page {
  return questionPage({
    title: t('pages.link.confirmAlerts'),
    detail: t('pages.link.confirmAlertsDetail', {
      name: displayName(applicationName) ?? t('pages.consent.namelessApplication'),
    }),
    path: CONFIRMATION_PATH,
    token,
    button: t('pages.link.confirmAlertsButton'),
    otherwise: t('pages.link.confirmAlertsElse'),
  });
}

export function alertsConfirmedPage(t: Translate): Page {
  return donePage(t('pages.link.alertsConfirmed'), t('pages.link.alertsConfirmedDetail'));
}

/** Asks whether the address that received the link is the person's. */
export function confirmEmailPage(
  t: Translate,
  { email, personName, token }: { email: string; personName: string; token: string },
): Page {
  return questionPage({
    title: t('pages.link.confirmEmail'),
    detail: t('pages.link.confirmEmailDetail', { email, name: displayName(personName) ?? '…' }),
    path: EMAIL_CONFIRMATION_PATH,
    token,
    button: t('pages.link.confirmEmailButton'),
    otherwise: t('pages.link.confirmEmailElse'),
  });
}

export function emailConfirmedPage(t: Translate): Page {
  return donePage(t('pages.link.emailConfirmed'), t('pages.link.emailConfirmedDetail'));
}
