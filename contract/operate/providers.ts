import { type Static, Type } from 'typebox';
import { visibleText } from '../fields.ts';
import { id } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { Finding } from '../webhooks/finding.ts';

const Domain = Type.String({ maxLength: 253, pattern: '^[^\\s@,:/]+\\.[^\\s@,:/]+$' });

const changeable = {
  name: visibleText(64, 'On the button of the sign-in page.'),
  clientId: visibleText(512, 'The id of this server at the provider.'),
  domains: Type.Array(Domain, {
    maxItems: 100,
    description: 'Whose confirmed addresses may get an account or be connected; none: all.',
  }),
  findsByEmail: Type.Boolean({
    description:
      'Whether an address that the provider has confirmed leads to the account that has it, once its owner has signed in by other means.',
  }),
  createsAccounts: Type.Boolean({ description: 'Whether new people get an account at their first sign-in.' }),
  passwordsOff: Type.Boolean({
    description: 'Nobody signs in to this server with a password any more; passkeys still work.',
  }),
  needsSecondFactor: Type.Boolean({
    description: 'Only people with a second factor, at the provider or here, can sign in.',
  }),
};

const clientSecret = visibleText(2048, 'Stored encrypted, and never shown.');

/** Body of a new provider. Without the other fields, it connects existing accounts only. */
export const AddProvider = Type.Object({
  ...changeable,
  issuer: Type.String({ maxLength: LIMITS.urlLength, description: 'Exactly as the provider names itself.' }),
  clientSecret,
});

export type AddProvider = Static<typeof AddProvider>;

/** Body of a changed provider: omitted fields stay. The issuer never changes. */
export const ChangeProvider = Type.Partial(Type.Object({ ...changeable, clientSecret }), {
  additionalProperties: false,
});

export type ChangeProvider = Static<typeof ChangeProvider>;

/** A provider as operators see it. */
export const OperatedProvider = Type.Object({
  providerId: id(),
  ...changeable,
  issuer: Type.String(),
  callbackUrl: Type.String({ description: 'The redirect URI to register at the provider.' }),
  logoutUrl: Type.String({ description: 'The back-channel logout URI to register at the provider.' }),
  scimUrl: Type.String({ description: 'Where the provider manages its people (SCIM 2.0).' }),
  hasScimToken: Type.Boolean(),
  operators: Type.Optional(
    Type.Object(
      { claim: Type.String(), value: Type.String() },
      { description: 'The claim that makes a person an operator; only the command line sets it.' },
    ),
  ),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
});

export type OperatedProvider = Static<typeof OperatedProvider>;

/** `data` of the providers, the oldest first. */
export const OperatedProviders = Type.Object({ providers: Type.Array(OperatedProvider) });

/** `data` of trying a provider: everything that is wrong with it, or nothing. */
export const ProviderFaults = Type.Object({
  faults: Type.Array(Type.Object({ what: Finding, remedy: Finding })),
});

/** `data` of a new SCIM token, which is shown only once and replaces the one before. */
export const ScimToken = Type.Object({ token: Type.String() });
