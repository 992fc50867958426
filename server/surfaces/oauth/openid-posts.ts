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

/** Headers of `GET /oauth/userinfo` that are passed on. */
const TOLD = ['content-type', 'cache-control', 'www-authenticate', 'retry-after', ...QUOTA_HEADERS];

/**
 * OpenID Connect lets applications' pages use POST (Core §3.1.2.1, RP-Initiated Logout §2). Browsers do not send the
 * person's cookie with a cross-site form, so the response redirects to a GET with the same parameters. Applications' servers
 * may POST to userinfo as well (Core §5.3.1), also with the token in the header.
 */
export async function openIdPosts(app: App, deps: ExtensionDeps & { oauth: OAuth }): Promise<void> {
  const { oauth } = deps;
  whileInUse(app, deps, 'openid');
  acceptForms(app);
  const config = { duringMaintenance: true } as const;
  const options = { config, schema: { hide: true, body: Form } } as const;
  const get = (path: string, form: Record<string, string>) => `${path}?${new URLSearchParams(form)}`;

  app.post('/oauth/logout', options, (request, reply) => sendOn(reply, get('/oauth/logout', request.body)));

  app.post('/oauth/authorize', options, async (request, reply) => {
    const { client_id: appId = '' } = request.body;
    // Without OpenID Connect the route does not exist.
    if (!isId('app', appId) || !(await oauth.openId.isEnabled(appId))) return reply.callNotFound();
    return sendOn(reply, get('/oauth/authorize', request.body));
  });

  app.post('/oauth/userinfo', { config, schema: { hide: true } }, async (request, reply) => {
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
