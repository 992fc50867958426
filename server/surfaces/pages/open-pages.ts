import type { App } from '#platform/http/app.ts';
import { readError } from '#platform/http/error-handler.ts';
import { acceptForms } from '#platform/http/parsing/form.ts';
import type { Platform } from '#platform/platform.ts';
import { guardPages } from '../people/person.ts';
import { explainStatus, messagePage } from './error-page.ts';
import { textsFor } from './language.ts';
import { sendPage } from './send-page.ts';

/** Prepares page routes: only forms are accepted, errors are shown as pages, and requests from other sites are refused. */
export function openPages(app: App, platform: Platform): void {
  guardPages(app, platform);
  app.removeAllContentTypeParsers();
  acceptForms(app);
  app.setErrorHandler((error, request, reply) => {
    const { status, said, headers } = readError(error, request);
    reply.headers(headers);
    const t = textsFor(request);
    sendPage(reply, platform.config, {
      status,
      ...messagePage(t, { ...explainStatus(t, status), detail: said }),
    });
  });
}
