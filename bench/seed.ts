import { DEFAULT_KEY_SCOPES } from '#contract/scopes.ts';
import { makeApiKey, parseApiKey } from '#features/applications/credentials/secrets.ts';
import type { Database } from '#platform/database.ts';
import { bucketOf, privateConversationId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { systemRandom } from '#platform/random.ts';

export interface SeededBot {
  key: string;
  accountId: string;
  appId: string;
  /** A person who wrote to this bot. */
  personId: string;
}

/** Bots with raised quotas, each with a person who wrote to it; written directly into the tables, for speed. */
export async function seedBots(db: Database, newId: Platform['newId'], count: number): Promise<SeededBot[]> {
  const now = Date.now();
  const bots = Array.from({ length: count }, () => {
    const appId = newId('app');
    return { appId, key: makeApiKey(appId, systemRandom), accountId: newId('usr'), personId: newId('usr') };
  });
  await db.begin(async (tx) => {
    await tx`insert into accounts ${tx(
      bots.flatMap(({ accountId, personId, appId }) => [
        { accountId, isBot: true, appId, name: 'Bench', email: null, createdAt: now },
        {
          accountId: personId,
          isBot: false,
          appId: null,
          name: 'Person',
          email: `${personId}@example.com`,
          createdAt: now,
        },
      ]),
    )}`;
    await tx`insert into applications ${tx(
      bots.map(({ appId, personId }) => ({
        appId,
        ownerId: personId,
        name: 'Bench',
        state: 'active',
        requestsPerMinute: 1_000_000_000,
        createdAt: now,
      })),
    )}`;
    await tx`insert into application_versions ${tx(bots.map(({ appId }) => ({ appId, version: 0 })))}`;
    await tx`insert into api_keys ${tx(
      bots.map(({ appId, key }) => ({
        appId,
        keyHash: parseApiKey(key)?.hash as Buffer,
        scopes: [...DEFAULT_KEY_SCOPES],
        createdAt: now,
      })),
    )}`;
    await tx`insert into bots ${tx(
      bots.map(({ appId, accountId }, i) => ({
        appId,
        accountId,
        username: `bench${i}bot`,
        description: '',
        commands: tx.json([]),
        createdAt: now,
      })),
    )}`;
    await tx`insert into contacts ${tx(
      bots.map(({ accountId, personId }) => {
        const conversationId = privateConversationId(accountId, personId);
        return {
          bucket: bucketOf(conversationId),
          conversationId,
          accountId: personId,
          peerId: accountId,
          wroteAt: now,
        };
      }),
    )}`;
  });
  return bots;
}
