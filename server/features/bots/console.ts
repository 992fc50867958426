import { Type } from 'typebox';
import { ConsoleHome } from '#contract/applications/monitoring.ts';
import { AppId, NewApplication } from '#contract/applications.ts';
import { Bot, ChangeBot, CreateApplication, CreateBot } from '#contract/bots.ts';
import { type ConsoleRoutes, sessionIdOf } from '#features/accounts/index.ts';
import { ownedBy } from '#features/applications/index.ts';
import type { Bots } from './index.ts';

/** New applications, with or without their bot, and the bot as its owner manages it. */
export function botRoutes(routes: ConsoleRoutes, bots: Bots): void {
  const one = { params: Type.Object({ appId: AppId }), reply: Bot };

  routes.get('/home', { reply: ConsoleHome, message: 'your applications' }, ({ person }) =>
    bots.showHome(person.accountId),
  );

  routes.post(
    '/applications',
    {
      needsRecentSignIn: true,
      body: CreateApplication,
      reply: NewApplication,
      message: 'application created; its secrets are shown this once',
      status: 201,
    },
    ({ person, body }) => bots.createApplication(person.accountId, body, { sessionId: sessionIdOf(person) }),
  );

  routes.post(
    '/applications/:appId/bot',
    { ...one, body: CreateBot, message: 'bot created', status: 201 },
    ({ person, params, body }) => bots.create(ownedBy(person, params.appId), body),
  );

  routes.get('/applications/:appId/bot', { ...one, message: 'bot' }, ({ person, params }) =>
    bots.showOwn(ownedBy(person, params.appId)),
  );

  routes.patch(
    '/applications/:appId/bot',
    { ...one, body: ChangeBot, message: 'bot changed' },
    ({ person, params, body }) => bots.change(ownedBy(person, params.appId), body),
  );
}
