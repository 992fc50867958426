interface Given {
  issuer: string;
  appId: string;
  redirectUri: string;
}

/** For Debian's libapache2-mod-auth-openidc. */
export function apacheSettings({ issuer, appId, redirectUri }: Given): string {
  return [
    `OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration`,
    `OIDCClientID ${appId}`,
    'OIDCClientSecret …',
    `OIDCRedirectURI ${redirectUri}`,
    'OIDCCryptoPassphrase …',
    'OIDCScope "openid email profile"',
    'OIDCPKCEMethod S256',
    '<Location />',
    '  AuthType openid-connect',
    '  Require valid-user',
    '</Location>',
  ].join('\n');
}

/** The section of grafana.ini. */
export function grafanaSettings({ issuer, appId }: Given): string {
  return [
    '[auth.generic_oauth]',
    'enabled = true',
    'name = Parley',
    `client_id = ${appId}`,
    'client_secret = …',
    'scopes = openid email profile',
    `auth_url = ${issuer}/oauth/authorize`,
    `token_url = ${issuer}/oauth/token`,
    `api_url = ${issuer}/oauth/userinfo`,
    'login_attribute_path = sub',
    'use_pkce = true',
    'use_refresh_token = true',
  ].join('\n');
}
