import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { BackchannelLogoutUri, OpenIdSettings, PostLogoutRedirectUri } from '#contract/openid.ts';
import type { ConsoleRoutes } from '#features/accounts/index.ts';
import { ownedBy } from '#features/applications/index.ts';
import type { OAuth } from '../index.ts';

/** The OpenID Connect settings of an application, with the addresses for redirects after a logout. */
export function openIdConsoleRoutes(routes: ConsoleRoutes, { openId }: OAuth): void {
  const one = { params: Type.Object({ appId: AppId }), reply: OpenIdSettings };
  const needsRecentSignIn = true;

  routes.get('/applications/:appId/openid', { ...one, message: 'OpenID Connect' }, ({ person, params }) =>
    openId.showSettings(ownedBy(person, params.appId)),
  );

  routes.put(
    '/applications/:appId/openid/backchannel-logout-uri',
    { ...one, needsRecentSignIn, body: BackchannelLogoutUri, message: 'back-channel logout URI set' },
    ({ person, params, body }) =>
      openId.setLogoutUrl(ownedBy(person, params.appId), body.backchannelLogoutUri),
  );

  routes.delete(
    '/applications/:appId/openid/backchannel-logout-uri',
    { ...one, needsRecentSignIn, message: 'back-channel logout URI removed' },
    ({ person, params }) => openId.removeLogoutUrl(ownedBy(person, params.appId)),
  );

  routes.post(
    '/applications/:appId/openid/post-logout-redirect-uris',
    {
      ...one,
      needsRecentSignIn,
      body: PostLogoutRedirectUri,
      message: 'post-logout redirect URI registered',
    },
    ({ person, params, body }) =>
      openId.addLogoutRedirectUri(ownedBy(person, params.appId), body.postLogoutRedirectUri),
  );

  routes.delete(
    '/applications/:appId/openid/post-logout-redirect-uris',
    { ...one, needsRecentSignIn, body: PostLogoutRedirectUri, message: 'post-logout redirect URI removed' },
    ({ person, params, body }) =>
      openId.removeLogoutRedirectUri(ownedBy(person, params.appId), body.postLogoutRedirectUri),
  );
}
