import { EMAIL_CONFIRMATION_PATH } from '#features/accounts/index.ts';
import { CONFIRMATION_PATH } from '#features/webhooks/index.ts';
import { displayName } from './display-name.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';
import type { PageTexts } from './texts/en.ts';

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
  t: PageTexts,
  { applicationName, token }: { applicationName: string; token: string },
): Page {
  return questionPage({
    title: t.confirmAlerts,
    detail: t.confirmAlertsDetail(displayName(applicationName, t.namelessApplication)),
    path: CONFIRMATION_PATH,
    token,
    button: t.confirmAlertsButton,
    otherwise: t.confirmAlertsElse,
  });
}

export function alertsConfirmedPage(t: PageTexts): Page {
  return donePage(t.alertsConfirmed, t.alertsConfirmedDetail);
}

/** Asks whether the address that received the link is the person's. */
export function confirmEmailPage(
  t: PageTexts,
  { email, personName, token }: { email: string; personName: string; token: string },
): Page {
  return questionPage({
    title: t.confirmEmail,
    detail: t.confirmEmailDetail(email, displayName(personName, '…')),
    path: EMAIL_CONFIRMATION_PATH,
    token,
    button: t.confirmEmailButton,
    otherwise: t.confirmEmailElse,
  });
}

export function emailConfirmedPage(t: PageTexts): Page {
  return donePage(t.emailConfirmed, t.emailConfirmedDetail);
}
