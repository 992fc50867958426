import { CONSOLE } from '#contract/api/console.ts';
import { ownedBy } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { OAuth } from '../index.ts';

/** The OpenID Connect settings of an application, with the addresses for redirects after a logout. */
export function openIdConsoleRoutes({ openId }: OAuth) {
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/openid': ({ person, params }) =>
        openId.showSettings(ownedBy(person, params.appId)),
      'PUT /applications/:appId/openid/backchannel-logout-uri': ({ person, params, body }) =>
        openId.setLogoutUrl(ownedBy(person, params.appId), body.backchannelLogoutUri),
      'DELETE /applications/:appId/openid/backchannel-logout-uri': ({ person, params }) =>
        openId.removeLogoutUrl(ownedBy(person, params.appId)),
      'POST /applications/:appId/openid/post-logout-redirect-uris': ({ person, params, body }) =>
        openId.addLogoutRedirectUri(ownedBy(person, params.appId), body.postLogoutRedirectUri),
      'DELETE /applications/:appId/openid/post-logout-redirect-uris': ({ person, params, body }) =>
        openId.removeLogoutRedirectUri(ownedBy(person, params.appId), body.postLogoutRedirectUri),
    }),
  ];
}
