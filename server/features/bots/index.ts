import type { Database, Db } from '#platform/database.ts';
import { withDeps } from '#platform/with-deps.ts';
import { createBotAccountHook } from './account-hook.ts';
import { createBotApplicationHook } from './application-hook.ts';
import { botRoutes } from './console.ts';
import {
  type BotDeps,
  changeBot,
  createBot,
  findBotAccountId,
  findBotByAccountId,
  findBotByUsername,
  listOwnBots,
  showOwnBot,
} from './service.ts';

export { type BuiltInBot, type BuiltInBotDeps, installBuiltInBot } from './built-in.ts';
export { findPortableBot, insertPortableBot } from './portable.ts';
export type { OwnBot } from './service.ts';

/** The bots of applications, and those of the server itself. */
export type Bots = ReturnType<typeof createBots>['api'];

export function createBots(deps: BotDeps) {
  return {
    api: {
      ...withDeps(deps, {
        create: createBot,
        change: changeBot,
        showOwn: showOwnBot,
        /** The undeleted bots of a person, in order of the creation of their applications. */
        listOwn: listOwnBots,
        /** The undeleted bot with exactly this username. */
        findByUsername: findBotByUsername,
        /** The bot of this account, deleted or not; undefined if it is not a bot's. */
        findByAccountId: findBotByAccountId,
      }),
      /** The account of an application's bot, deleted or not. */
      findAccountId: (appId: string, at: Db = deps.db) => findBotAccountId(at, appId),
      /** For an owner's changes inside a transaction in progress, passed as `tx`. */
      within: (tx: Database) =>
        withDeps({ ...deps, db: tx }, { create: createBot, change: changeBot, listOwn: listOwnBots }),
    },
    routes: botRoutes(deps),
    hooks: { account: createBotAccountHook(deps), application: createBotApplicationHook(deps) },
  };
}
