import { CONSOLE } from '#contract/api/console.ts';
import { ownedBy } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { OAuthDeps } from '../deps.ts';
import {
  addLogoutRedirectUri,
  removeLogoutRedirectUri,
  removeLogoutUrl,
  setLogoutUrl,
  showOpenIdSettings,
} from './settings.ts';

/** The OpenID Connect settings of an application, with the addresses for redirects after a logout. */
export function openIdConsoleRoutes(deps: OAuthDeps) {
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/openid': ({ person, params }) =>
        showOpenIdSettings(deps, ownedBy(person, params.appId)),
      'PUT /applications/:appId/openid/backchannel-logout-uri': ({ person, params, body }) =>
        setLogoutUrl(deps, ownedBy(person, params.appId), body.backchannelLogoutUri),
      'DELETE /applications/:appId/openid/backchannel-logout-uri': ({ person, params }) =>
        removeLogoutUrl(deps, ownedBy(person, params.appId)),
      'POST /applications/:appId/openid/post-logout-redirect-uris': ({ person, params, body }) =>
        addLogoutRedirectUri(deps, ownedBy(person, params.appId), body.postLogoutRedirectUri),
      'DELETE /applications/:appId/openid/post-logout-redirect-uris': ({ person, params, body }) =>
        removeLogoutRedirectUri(deps, ownedBy(person, params.appId), body.postLogoutRedirectUri),
    }),
  ];
}
