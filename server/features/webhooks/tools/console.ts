import { CONSOLE } from '#contract/api/console.ts';
import { say } from '#contract/reasons.ts';
import { ownedBy } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import { RateLimit } from '#platform/rate-limits/rate-limit.ts';
import type { WebhookDeps } from '../deps.ts';
import { auditEndpoint } from './endpoint-audit.ts';
import { checkOwnSignature } from './own-signature.ts';
import { sendPing } from './ping.ts';
import { simulateEvent } from './simulate.ts';

const TRIALS_PER_MINUTE = 30;

/**
 * The tools with which owners test their receivers; limited, so that they cannot be used to attack other
 * servers.
 */
export function trialRoutes(deps: WebhookDeps) {
  const trials = new RateLimit(deps, {
    name: 'trial',
    limit: TRIALS_PER_MINUTE,
    windowMs: 60_000,
    refusal: say('webhook.too-many-trials', { count: TRIALS_PER_MINUTE }),
  });
  return [
    serve(CONSOLE, {
      'POST /applications/:appId/webhook/ping': async ({ person, params: { appId } }) => {
        await trials.count(person.accountId);
        return sendPing(deps, ownedBy(person, appId));
      },
      'POST /applications/:appId/webhook/simulate': async ({ person, params: { appId }, body }) => {
        await trials.count(person.accountId);
        return simulateEvent(deps, ownedBy(person, appId), body);
      },
      'POST /applications/:appId/webhook/check-signature': ({ person, params: { appId }, body }) =>
        checkOwnSignature(deps, ownedBy(person, appId), body),
      'POST /applications/:appId/webhook/audit': async ({ person, params: { appId } }) => {
        await trials.count(person.accountId);
        return auditEndpoint(deps, ownedBy(person, appId));
      },
    }),
  ];
}
