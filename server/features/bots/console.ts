import { CONSOLE } from '#contract/api/console.ts';
import { sessionIdOf } from '#features/accounts/index.ts';
import { ownedBy } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import { showHome } from './console-home.ts';
import { createApplicationWithBot } from './create-application.ts';
import { type BotDeps, changeBot, createBot, showOwnBot } from './service.ts';

/** New applications, with or without their bot, and the bot as its owner manages it. */
export function botRoutes(deps: BotDeps) {
  return [
    serve(CONSOLE, {
      'GET /home': ({ person }) => showHome(deps, person.accountId),
      'POST /applications': ({ person, body }) =>
        createApplicationWithBot(deps, person.accountId, body, { sessionId: sessionIdOf(person) }),
      'POST /applications/:appId/bot': ({ person, params, body }) =>
        createBot(deps, ownedBy(person, params.appId), body),
      'GET /applications/:appId/bot': ({ person, params }) => showOwnBot(deps, ownedBy(person, params.appId)),
      'PATCH /applications/:appId/bot': ({ person, params, body }) =>
        changeBot(deps, ownedBy(person, params.appId), body),
    }),
  ];
}
