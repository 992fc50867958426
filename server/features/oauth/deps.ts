import type { Accounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import { Batcher } from '#platform/batch.ts';
import { submitById } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import type { SigningKeys } from './openid/signing-keys.ts';
import type { ClientDocuments } from './published.ts';
import { findGrants, type GrantRow } from './queries.ts';

/** Dependencies of consent, tokens and sign-in with OpenID Connect. */
export interface OAuthDeps extends Platform {
  accounts: Accounts;
  applications: Applications;
  signingKeys: SigningKeys;
  clientDocuments: ClientDocuments;
  findGrant: FindGrant;
}

type FindGrant = (familyId: string) => Promise<GrantRow | undefined>;

/** Reads families for its callers, a batch in one statement. */
export function createGrantFinder({ db, shards }: Platform): FindGrant {
  const batcher = new Batcher<string, GrantRow | undefined>(async (familyIds) => {
    const grants = await findGrants(db, [...new Set(familyIds)]);
    const found = new Map(grants.map((grant) => [grant.familyId, grant]));
    return familyIds.map((familyId) => found.get(familyId));
  });
  return (familyId) => submitById(shards, batcher, familyId, { table: 'grants', id: familyId });
}
