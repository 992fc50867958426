import type { ChangeApiKey, CreateApiKey } from '#contract/applications.ts';
import type { Scope } from '#contract/scopes.ts';
import type { Platform } from '#platform/platform.ts';
import type { Owned } from '../service.ts';
import { announceRevocation } from './announce-revocation.ts';
import { changeApiKey, createApiKey, grantKeyScope, regenerateApiKey, revokeApiKey } from './keys.ts';
import { endSecretOverlap, regenerateClientSecret, regenerateWebhookSecret } from './renew-secrets.ts';

/** An application's keys and secrets; when a key is revoked, open streams are notified. */
export function openCredentials(platform: Platform) {
  return {
    async regenerateApiKey(own: Owned) {
      const apiKey = await regenerateApiKey(platform, own);
      announceRevocation(platform, own.appId);
      return apiKey;
    },
    createApiKey: (own: Owned, key: CreateApiKey) => createApiKey(platform, own, key),
    async changeApiKey(own: Owned & { fingerprint: string }, change: ChangeApiKey) {
      const key = await changeApiKey(platform, own, change);
      announceRevocation(platform, own.appId);
      return key;
    },
    async revokeApiKey(own: Owned & { fingerprint: string }) {
      await revokeApiKey(platform, own);
      announceRevocation(platform, own.appId);
    },
    grantKeyScope: (own: Owned, change: { scope: Scope; isGranted: boolean }) =>
      grantKeyScope(platform, own, change),
    regenerateClientSecret: (own: Owned) => regenerateClientSecret(platform, own),
    regenerateWebhookSecret: (own: Owned, overlapHours?: number) =>
      regenerateWebhookSecret(platform, own, overlapHours),
    endSecretOverlap: (own: Owned) => endSecretOverlap(platform, own),
  };
}
