import type { Db } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { findBotAccountId } from './service.ts';

/** The bots of applications, and those of the server itself. */
export type Bots = ReturnType<typeof createBots>;

export function createBots({ db }: Platform) {
  return {
    /** The account of an application's bot, deleted or not. */
    findAccountId: (appId: string, at: Db = db) => findBotAccountId(at, appId),
  };
}
