import type { Accounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Platform } from '#platform/platform.ts';
import type { SigningKeys } from './openid/signing-keys.ts';
import type { ClientDocuments } from './published/client-documents.ts';
import type { FindGrant } from './tokens/find-grant.ts';

/** Dependencies of consent, tokens and sign-in with OpenID Connect. */
export interface OAuthDeps extends Platform {
  accounts: Accounts;
  applications: Applications;
  signingKeys: SigningKeys;
  clientDocuments: ClientDocuments;
  findGrant: FindGrant;
}
