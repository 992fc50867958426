import type { Said } from '#contract/reasons.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';
import type { PageTexts } from './texts/en.ts';

export interface PageError {
  title: string;
  explanation: string;
  /** For the application's developer, or to quote in a report. */
  detail?: Said;
}

export function errorPage(t: PageTexts, { title, explanation, detail }: PageError): Page {
  return {
    title,
    content: html`<div class="heading"><h1>${title}</h1>
<p>${explanation}</p></div>
${detail && html`<p class="rule muted small">${t.detail}<br><code>${t.serverSays(detail)}</code></p>`}`,
  };
}

/** Explains an error of any route on a page. */
export function explainStatus(t: PageTexts, status: number): Omit<PageError, 'detail'> {
  switch (status) {
    case 403:
      return { title: t.notFromHere, explanation: t.notFromHereDetail };
    case 404:
      return { title: t.nothingHere, explanation: t.nothingHereDetail };
    case 429:
      return { title: t.tooMany, explanation: t.tooManyDetail };
    case 503:
      return { title: t.busy, explanation: t.busyDetail };
    default:
      return status < 500
        ? { title: t.notRight, explanation: t.notRightDetail }
        : { title: t.wentWrong, explanation: t.wentWrongDetail };
  }
}
