import { Type } from 'typebox';
import { CONFIRMATION_PATH, type Webhooks } from '#features/webhooks/index.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import { confirmedPage, confirmPage } from './pages/alert-pages.ts';
import { errorPage } from './pages/error-page.ts';
import { textsFor } from './pages/language.ts';
import { openPages } from './pages/open-pages.ts';
import { sendPage } from './pages/send-page.ts';

const Token = Type.Object({ token: Type.String({ maxLength: 256 }) });

/**
 * Where the link in a mail leads that asks whether alerts may come to its address. To look changes nothing, since mail
 * programs follow links by themselves: a button confirms.
 */
export async function alertConfirmation(
  app: App,
  { webhooks, ...platform }: Platform & { webhooks: Webhooks },
): Promise<void> {
  const { config } = platform;
  openPages(app, platform);
  const gone = (t: ReturnType<typeof textsFor>) => ({
    status: 404,
    ...errorPage(t, { title: t.linkGone, explanation: t.linkGoneDetail }),
  });

  app.get(CONFIRMATION_PATH, { schema: { querystring: Token } }, async (request, reply) => {
    const t = textsFor(request);
    const { token } = request.query;
    const found = await webhooks.alerts.findConfirmation(token);
    if (!found) return sendPage(reply, config, gone(t));
    return sendPage(reply, config, { status: 200, ...confirmPage(t, { ...found, token }) });
  });

  app.post(CONFIRMATION_PATH, { schema: { body: Token } }, async (request, reply) => {
    const t = textsFor(request);
    const isConfirmed = await webhooks.alerts.confirmContact(request.body.token);
    return sendPage(reply, config, isConfirmed ? { status: 200, ...confirmedPage(t) } : gone(t));
  });
}
