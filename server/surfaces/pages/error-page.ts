import type { Said } from '#contract/reasons.ts';
import type { Translate } from '#contract/texts.ts';
import { messageIn } from '#platform/texts.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';

export interface PageMessage {
  title: string;
  explanation: string;
  /** For the application's developer, or to quote in a report. */
  detail?: Said;
}

/** A page with one message: what went wrong, or that something is done. */
export function messagePage(t: Translate, { title, explanation, detail }: PageMessage): Page {
  return {
    title,
    content: html`<div class="heading"><h1>${title}</h1>
<p>${explanation}</p></div>
${detail && html`<p class="rule muted small">${t('pages.error.detail')}<br><code>${messageIn(t.language, detail)}</code></p>`}`,
  };
}

/** Explains an error of any route on a page. */
export function explainStatus(t: Translate, status: number): Omit<PageMessage, 'detail'> {
  switch (status) {
    case 403:
      return { title: t('pages.error.notFromHere'), explanation: t('pages.error.notFromHereDetail') };
    case 404:
      return { title: t('pages.error.nothingHere'), explanation: t('pages.error.nothingHereDetail') };
    case 429:
      return { title: t('pages.error.tooMany'), explanation: t('pages.error.tooManyDetail') };
    case 503:
      return { title: t('pages.error.busy'), explanation: t('pages.error.busyDetail') };
    default:
      return status < 500
        ? { title: t('pages.error.notRight'), explanation: t('pages.error.notRightDetail') }
        : { title: t('pages.error.wentWrong'), explanation: t('pages.error.wentWrongDetail') };
  }
}

/** Signing in at a provider did not work. */
export function providerFaultPage(t: Translate, detail: Said): Page {
  const title = t('pages.error.providerFault');
  return {
    title,
    content: html`<div class="heading"><h1>${title}</h1>
<p>${messageIn(t.language, detail)}</p></div>
<p><a href="/sign-in?again">${t('pages.error.toSignIn')}</a></p>`,
  };
}
