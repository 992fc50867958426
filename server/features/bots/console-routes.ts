import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { Bot, ChangeBot, CreateBot } from '#contract/bots.ts';
import { Success } from '#contract/envelope.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { changeBot, createBot, showOwnBot } from './service.ts';

/** The bot of an application, as its owner manages it. */
export function botRoutes(app: App, deps: Platform): void {
  const { db, clock } = deps;
  const params = Type.Object({ appId: AppId });

  app.post(
    '/applications/:appId/bot',
    { schema: { params, body: CreateBot, response: { 201: Success(Bot) } } },
    async ({ person, params: { appId }, body }, reply) => {
      const bot = await createBot(deps, { ownerId: person.accountId, appId }, body);
      reply.code(201);
      return success(clock.now(), 'bot created', bot);
    },
  );

  app.get(
    '/applications/:appId/bot',
    { schema: { params, response: { 200: Success(Bot) } } },
    async ({ person, params: { appId } }) =>
      success(clock.now(), 'bot', await showOwnBot(db, { ownerId: person.accountId, appId })),
  );

  app.patch(
    '/applications/:appId/bot',
    { schema: { params, body: ChangeBot, response: { 200: Success(Bot) } } },
    async ({ person, params: { appId }, body }) => {
      const bot = await changeBot(deps, { ownerId: person.accountId, appId }, body);
      return success(clock.now(), 'bot changed', bot);
    },
  );
}
