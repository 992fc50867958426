import type { AccountHook, Accounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Database, Db } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { createBotAccountHook } from './account-hook.ts';
import { createBotApplicationHook } from './application-hook.ts';
import { showHome } from './console-home.ts';
import { createApplicationWithBot } from './create-application.ts';
import {
  changeBot,
  createBot,
  findBotAccountId,
  findBotByAccountId,
  findBotByUsername,
  listOwnBots,
  showOwnBot,
} from './service.ts';

export { type BuiltInBot, type BuiltInBotDeps, installBuiltInBot } from './built-in.ts';

import { botRoutes } from './console.ts';

export { findPortableBot, insertPortableBot } from './portable.ts';
export type { OwnBot } from './service.ts';

/** The bots of applications, and those of the server itself. */
export type Bots = ReturnType<typeof openBots>['api'];

function openBots(
  platform: Platform,
  features: {
    media: Media;
    accounts: Accounts;
    applications: Applications;
    accountHooks: readonly AccountHook[];
  },
) {
  const deps = { ...platform, ...features };
  const api = {
    ...withDeps(deps, {
      createApplication: createApplicationWithBot,
      create: createBot,
      change: changeBot,
      showOwn: showOwnBot,
      /** The undeleted bots of a person, in order of the creation of their applications. */
      listOwn: listOwnBots,
      showHome,
      /** The undeleted bot with exactly this username. */
      findByUsername: findBotByUsername,
      /** The bot of this account, deleted or not; undefined if it is not a bot's. */
      findByAccountId: findBotByAccountId,
    }),
    /** The account of an application's bot, deleted or not. */
    findAccountId: (appId: string, at: Db = platform.db) => findBotAccountId(at, appId),
    /** For an owner's changes inside a transaction in progress, passed as `tx`. */
    within: (tx: Database) =>
      withDeps({ ...deps, db: tx }, { create: createBot, change: changeBot, listOwn: listOwnBots }),
  };
  return { api, hooks: { account: createBotAccountHook(deps), application: createBotApplicationHook(deps) } };
}

export function createBots(platform: Platform, features: Parameters<typeof openBots>[1]) {
  const { api, hooks } = openBots(platform, features);
  return { api, hooks, routes: [...botRoutes(api)] };
}
