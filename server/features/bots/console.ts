import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { Bot, ChangeBot, CreateBot } from '#contract/bots.ts';
import { Success } from '#contract/envelope.ts';
import { ConsoleHome } from '#contract/monitoring.ts';
import { type Applications, ownedBy } from '#features/applications/index.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { showHome } from './console-home.ts';
import { changeBot, createBot, showOwnBot } from './service.ts';

/** The bot of an application, as its owner manages it. */
export function botRoutes(app: App, deps: Platform & { applications: Applications }): void {
  const { db, clock } = deps;
  const params = Type.Object({ appId: AppId });

  app.get('/home', { schema: { response: { 200: Success(ConsoleHome) } } }, async ({ person }) => {
    return success(clock.now(), 'your applications', await showHome(deps, person.accountId));
  });

  app.post(
    '/applications/:appId/bot',
    { schema: { params, body: CreateBot, response: { 201: Success(Bot) } } },
    async ({ person, params: { appId }, body }, reply) => {
      const bot = await createBot(deps, ownedBy(person, appId), body);
      reply.code(201);
      return success(clock.now(), 'bot created', bot);
    },
  );

  app.get(
    '/applications/:appId/bot',
    { schema: { params, response: { 200: Success(Bot) } } },
    async ({ person, params: { appId } }) =>
      success(clock.now(), 'bot', await showOwnBot(db, ownedBy(person, appId))),
  );

  app.patch(
    '/applications/:appId/bot',
    { schema: { params, body: ChangeBot, response: { 200: Success(Bot) } } },
    async ({ person, params: { appId }, body }) => {
      const bot = await changeBot(deps, ownedBy(person, appId), body);
      return success(clock.now(), 'bot changed', bot);
    },
  );
}
