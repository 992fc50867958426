import { CONFIRMATION_PATH } from '#features/webhooks/index.ts';
import { displayName } from './display-name.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';
import type { PageTexts } from './texts/en.ts';

/** Asks whether alerts of an application may come to the address that the link was sent to. */
export function confirmPage(
  t: PageTexts,
  { applicationName, token }: { applicationName: string; token: string },
): Page {
  return {
    title: t.confirmAlerts,
    content: html`<div class="heading"><h1>${t.confirmAlerts}</h1>
<p>${t.confirmAlertsDetail(displayName(applicationName, t.namelessApplication))}</p></div>
<form method="post" action="${CONFIRMATION_PATH}">
<input type="hidden" name="token" value="${token}">
<button>${t.confirmAlertsButton}</button>
</form>
<p class="rule muted small">${t.confirmAlertsElse}</p>`,
  };
}

export function confirmedPage(t: PageTexts): Page {
  return {
    title: t.alertsConfirmed,
    content: html`<div class="heading"><h1>${t.alertsConfirmed}</h1>
<p>${t.alertsConfirmedDetail}</p></div>`,
  };
}
