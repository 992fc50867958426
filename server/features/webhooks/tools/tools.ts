import { say } from '#contract/reasons.ts';
import type { SimulateEvent } from '#contract/webhooks.ts';
import type { Applications, Owned } from '#features/applications/index.ts';
import type { Bots } from '#features/bots/index.ts';
import type { Platform } from '#platform/platform.ts';
import { RateLimit } from '#platform/rate-limits/rate-limit.ts';
import { auditEndpoint } from './endpoint-audit.ts';
import { checkOwnSignature } from './own-signature.ts';
import { sendPing } from './ping.ts';
import { simulateEvent } from './simulate.ts';

const TRIALS_PER_MINUTE = 30;

type Deps = Platform & { applications: Applications; bots: Bots };

/**
 * The tools with which owners test their receivers; limited, so that they cannot be used to attack other
 * servers.
 */
export function createTools(deps: Deps) {
  const trials = new RateLimit(deps, {
    name: 'trial',
    limit: TRIALS_PER_MINUTE,
    windowMs: 60_000,
    refusal: say('webhook.too-many-trials', { count: TRIALS_PER_MINUTE }),
  });
  const counted =
    <A extends unknown[], T>(attempt: (deps: Deps, own: Owned, ...given: A) => Promise<T>) =>
    async (own: Owned, ...given: A) => {
      await trials.count(own.ownerId);
      return attempt(deps, own, ...given);
    };
  return {
    ping: counted(sendPing),
    simulate: counted(simulateEvent),
    audit: counted(auditEndpoint),
    checkSignature: (own: Owned, asked: Parameters<typeof checkOwnSignature>[2]) =>
      checkOwnSignature(deps, own, asked),
    /** For the bot itself, whose quota limits it. */
    async simulateForBot(appId: string, asked: SimulateEvent) {
      return simulateEvent(deps, { ownerId: await deps.applications.findOwnerId(appId), appId }, asked);
    },
  };
}
