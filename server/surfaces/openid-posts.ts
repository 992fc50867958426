import { Type } from 'typebox';
import type { OAuth } from '#features/oauth/index.ts';
import type { App } from '#platform/http/app.ts';
import { acceptForms } from '#platform/http/form.ts';
import { isId } from '#platform/ids.ts';
import { sendOn } from './pages/send-page.ts';

const Form = Type.Unsafe<Record<string, string>>(
  Type.Record(Type.String(), Type.String({ maxLength: 16_384 })),
);

/**
 * Pages of applications may post what OpenID Connect lets them ask (Core §3.1.2.1, RP-Initiated Logout §2). No browser sends
 * the person's cookie with such a form: a GET with the same parameters brings it, and decides.
 */
export async function openIdPosts(app: App, { oauth }: { oauth: OAuth }): Promise<void> {
  acceptForms(app);
  const schema = { hide: true, body: Form };
  const get = (path: string, form: Record<string, string>) => `${path}?${new URLSearchParams(form)}`;

  app.post('/oauth/logout', { schema }, (request, reply) =>
    sendOn(reply, get('/oauth/logout', request.body)),
  );

  app.post('/oauth/authorize', { schema }, async (request, reply) => {
    const { client_id: appId = '' } = request.body;
    // Without OpenID Connect there is no such route.
    if (!isId('app', appId) || !(await oauth.openId.isEnabled(appId))) return reply.callNotFound();
    return sendOn(reply, get('/oauth/authorize', request.body));
  });
}
