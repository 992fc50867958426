import { CONSOLE } from '#contract/api/console.ts';
import { sessionIdOf } from '#features/accounts/index.ts';
import { ownedBy } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { Bots } from './index.ts';

/** New applications, with or without their bot, and the bot as its owner manages it. */
export function botRoutes(bots: Bots) {
  return [
    serve(CONSOLE, {
      'GET /home': ({ person }) => bots.showHome(person.accountId),
      'POST /applications': ({ person, body }) =>
        bots.createApplication(person.accountId, body, { sessionId: sessionIdOf(person) }),
      'POST /applications/:appId/bot': ({ person, params, body }) =>
        bots.create(ownedBy(person, params.appId), body),
      'GET /applications/:appId/bot': ({ person, params }) => bots.showOwn(ownedBy(person, params.appId)),
      'PATCH /applications/:appId/bot': ({ person, params, body }) =>
        bots.change(ownedBy(person, params.appId), body),
    }),
  ];
}
