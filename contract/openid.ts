import { type Static, Type } from 'typebox';

/** Lifetimes of an ID token and of the consent page, and how logout tokens are posted. */
export const OPENID_LIMITS = {
  idTokenSeconds: 60 * 60,
  logoutTokenSeconds: 2 * 60,
  postLogoutRedirectUris: 20,
} as const;

/**
 * Values of `acr`: one factor (the password, or a sign-in provider), or two (a second one here or there, or a passkey, which
 * proves both the device and its user).
 */
export const ACR_VALUES = ['urn:parley:acr:1fa', 'urn:parley:acr:2fa'] as const;

export type AcrValue = (typeof ACR_VALUES)[number];

/** `data` of `GET …/openid`: OpenID Connect as the owner of an application set it up. */
export const OpenIdSettings = Type.Object({
  isEnabled: Type.Boolean(),
  issuer: Type.String(),
  postLogoutRedirectUris: Type.Array(Type.String(), {
    description: 'Addresses to which `/oauth/logout` may redirect a browser.',
  }),
  backchannelLogoutUri: Type.Optional(
    Type.String({ description: 'Where logout tokens are posted; omitted if none are.' }),
  ),
  lastLogoutFailure: Type.Optional(
    Type.Object(
      { at: Type.Integer(), fault: Type.String() },
      {
        description:
          'The last logout token that could not be delivered; omitted once a later one has arrived.',
      },
    ),
  ),
});

export type OpenIdSettings = Static<typeof OpenIdSettings>;

/** Body of setting the address for logout tokens; the rules are those of a webhook URL. */
export const BackchannelLogoutUri = Type.Object({ backchannelLogoutUri: Type.String() });

/** Body of adding or removing a post-logout redirect; the rules are those of a redirect URI. */
export const PostLogoutRedirectUri = Type.Object({ postLogoutRedirectUri: Type.String() });
