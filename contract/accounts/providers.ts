import { type Static, Type } from 'typebox';
import { id } from '../ids.ts';

/** A provider through which people sign in. */
const SignInProvider = Type.Object({ providerId: id(), name: Type.String() });

/** `data` of `GET /api/auth/providers`, for the sign-in page. */
export const SignInProviders = Type.Object({
  providers: Type.Array(SignInProvider),
  takesPasswords: Type.Boolean({ description: 'Whether people can sign in here with a password.' }),
});

export type SignInProviders = Static<typeof SignInProviders>;

/** Body of going to a provider: the path of this server to return to afterwards. */
export const GoToProvider = Type.Object({ returnTo: Type.Optional(Type.String({ maxLength: 8192 })) });

/** `data`: where the provider asks the person to sign in. The browser keeps a cookie for the way back. */
export const AtProvider = Type.Object({ url: Type.String() });

/** `data` of `GET /api/auth/identities`: the providers with which the person is connected, and the others. */
export const Identities = Type.Object({
  identities: Type.Array(
    Type.Object({
      ...SignInProvider.properties,
      userName: Type.Optional(Type.String({ description: 'As the provider calls the person.' })),
      isManaged: Type.Boolean({
        description: 'The provider made the account, so that it cannot be disconnected.',
      }),
      connectedAt: Type.Integer({ description: 'Epoch milliseconds.' }),
      lastUsedAt: Type.Optional(Type.Integer()),
    }),
  ),
  others: Type.Array(SignInProvider),
  hasPassword: Type.Boolean(),
});

export type Identities = Static<typeof Identities>;
