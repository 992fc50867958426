import { CONSOLE } from '#contract/api/console.ts';
import { ownedBy } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { Webhooks } from '../index.ts';

/** Tools to test a receiver. */
export function trialRoutes({ tools }: Webhooks) {
  return [
    serve(CONSOLE, {
      'POST /applications/:appId/webhook/ping': ({ person, params: { appId } }) =>
        tools.ping(ownedBy(person, appId)),
      'POST /applications/:appId/webhook/simulate': ({ person, params: { appId }, body }) =>
        tools.simulate(ownedBy(person, appId), body),
      'POST /applications/:appId/webhook/check-signature': ({ person, params: { appId }, body }) =>
        tools.checkSignature(ownedBy(person, appId), body),
      'POST /applications/:appId/webhook/audit': ({ person, params: { appId } }) =>
        tools.audit(ownedBy(person, appId)),
    }),
  ];
}
