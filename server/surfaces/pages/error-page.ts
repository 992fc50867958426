import { html } from './html.ts';
import type { Page } from './layout.ts';

export interface Trouble {
  title: string;
  explanation: string;
  /** For the developer of an application, or to quote in a report. */
  detail?: string;
}

export function errorPage({ title, explanation, detail }: Trouble): Page {
  return {
    title,
    content: html`<div class="heading"><h1>${title}</h1>
<p>${explanation}</p></div>
${detail && html`<p class="rule muted small">Detail for whoever looks into it:<br><code>${detail}</code></p>`}`,
  };
}

/** What an error of any door means to a person who looks at a page. */
export function explainStatus(status: number): Omit<Trouble, 'detail'> {
  switch (status) {
    case 403:
      return {
        title: 'Not sent from here',
        explanation:
          'This form was sent by a page of another site, so nothing was done. Go back and use our own page.',
      };
    case 404:
      return { title: 'Nothing here', explanation: 'There is no such page, or it is gone.' };
    case 429:
      return { title: 'Too many attempts', explanation: 'Wait a little, then try again.' };
    case 503:
      return {
        title: 'Busy at the moment',
        explanation: 'Wait a moment, then try again.',
      };
    default:
      return status < 500
        ? { title: 'This request is not right', explanation: 'Nothing was changed. Go back and try again.' }
        : { title: 'Something went wrong', explanation: 'The fault is on our side. Try again in a moment.' };
  }
}
