import { Type } from 'typebox';
import { QUOTA_HEADERS } from '#features/applications/index.ts';
import type { OAuth } from '#features/oauth/index.ts';
import type { App } from '#platform/http/app.ts';
import { clientAddress } from '#platform/http/client-address.ts';
import { acceptForms } from '#platform/http/parsing/form.ts';
import { isId } from '#platform/ids.ts';
import { bearerToken } from '../admission.ts';
import { sendOn } from '../pages/send-page.ts';
import { type ExtensionDeps, whileInUse } from '../while-in-use.ts';

const Form = Type.Unsafe<Record<string, string>>(
  Type.Record(Type.String(), Type.String({ maxLength: 16_384 })),
);

/** Headers of `GET /oauth/userinfo` that say something of its answer. */
const TOLD = ['content-type', 'cache-control', 'www-authenticate', 'retry-after', ...QUOTA_HEADERS];

/**
 * Pages of applications may post what OpenID Connect lets them ask (Core §3.1.2.1, RP-Initiated Logout §2). No browser sends
 * the person's cookie with such a form: a GET with the same parameters brings it, and decides. Their servers may post, too, where
 * they could ask (Core §5.3.1); the token comes in the header there as well.
 */
export async function openIdPosts(app: App, deps: ExtensionDeps & { oauth: OAuth }): Promise<void> {
  const { oauth } = deps;
  whileInUse(app, deps, 'openid');
  acceptForms(app);
  const options = { config: { duringMaintenance: true }, schema: { hide: true, body: Form } } as const;
  const get = (path: string, form: Record<string, string>) => `${path}?${new URLSearchParams(form)}`;

  app.post('/oauth/logout', options, (request, reply) => sendOn(reply, get('/oauth/logout', request.body)));

  app.post('/oauth/authorize', options, async (request, reply) => {
    const { client_id: appId = '' } = request.body;
    // Without OpenID Connect there is no such route.
    if (!isId('app', appId) || !(await oauth.openId.isEnabled(appId))) return reply.callNotFound();
    return sendOn(reply, get('/oauth/authorize', request.body));
  });

  app.post('/oauth/userinfo', { schema: { hide: true } }, async (request, reply) => {
    const token = bearerToken(request);
    const credential = await oauth.authenticateAccessToken(token);
    if (credential && !(await oauth.openId.isEnabled(credential.appId))) return reply.callNotFound();
    const headers = { authorization: `Bearer ${token}` };
    const answer = await app.inject({
      url: '/oauth/userinfo',
      headers,
      remoteAddress: clientAddress(request),
    });
    for (const name of TOLD) {
      const value = answer.headers[name];
      if (value !== undefined) reply.header(name, value);
    }
    return reply.code(answer.statusCode).send(answer.body);
  });
}
