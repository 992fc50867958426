import type { FastifyReply, FastifyRequest } from 'fastify';
import { safeReturnTo } from '#contract/return-to.ts';
import type { Config } from '#platform/config.ts';
import { toAscii } from '#platform/http/parsing/form.ts';
import { PAGE_HEADERS } from '#platform/http/security-headers.ts';
import { languageOf, textsFor } from './language.ts';
import { type Page, renderPage } from './layout.ts';
import { STYLE_SOURCE } from './style.ts';

/** Of pages on the way of a person to an application and back. */
export const HEADERS = {
  ...PAGE_HEADERS,
  // An application may open these pages in a popup, and keeps its reference to the popup until the person returns.
  'cross-origin-opener-policy': 'unsafe-none',
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

export interface PageAnswer extends Page {
  status: number;
  /** Where a form of this page may finally lead, in addition to this server. */
  formTargets?: string;
}

/** Sends a page that is not cached, cannot be framed, and runs no scripts. */
export function sendPage(
  reply: FastifyReply,
  { serviceName = 'Parley' }: Pick<Config, 'serviceName'>,
  { status, formTargets = '', ...page }: PageAnswer,
): FastifyReply {
  const { request } = reply;
  const frame = {
    serviceName,
    language: languageOf(request),
    languageLabel: textsFor(request)('pages.account.language'),
    here: addressOf(request),
  };
  const policy = `default-src 'none'; style-src ${STYLE_SOURCE}; form-action 'self'${formTargets}; base-uri 'none'; frame-ancestors 'none'`;
  return reply
    .code(status)
    .headers(HEADERS)
    .header('content-security-policy', policy)
    .type('text/html; charset=utf-8')
    .send(renderPage(frame, page));
}

/** Redirects the browser with a GET, whatever the method was (RFC 9700 §4.12). */
export function sendOn(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(303).headers(HEADERS).header('location', location).send();
}

/** The address of this page, unless it answers a form. */
function addressOf({ method, url }: FastifyRequest): string | undefined {
  return method === 'GET' ? safeReturnTo(toAscii(url)) : undefined;
}
