import { APPLICATION, CONSOLE } from '#contract/api/console.ts';
import { V1 } from '#contract/api/v1.ts';
import type { NewApplication } from '#contract/applications.ts';
import type { Bot, ChangeBot, CreateApplication } from '#contract/bots.ts';
import { type AccountHook, sessionIdOf } from '#features/accounts/index.ts';
import type { ApplicationHook, Origin, Owned } from '#features/applications/index.ts';
import { joined } from '#platform/database/joined.ts';
import type { Database, Db } from '#platform/database.ts';
import { pathOfUploadLink, publicFileUrl } from '#platform/files/upload-links.ts';
import { serve } from '#platform/http/serve.ts';
import { withDeps } from '#platform/with-deps.ts';
import { showHome } from './console-home.ts';
import { findBot, updateBotDeleted } from './queries.ts';
import {
  type BotDeps,
  changeBot,
  createBot,
  findBotByAccountId,
  findBotByUsername,
  findPicture,
  listOwnBots,
  showOwnBot,
} from './service.ts';
import { checkUsername, findUsernameFault, suggestUsernames } from './usernames.ts';

export { type BuiltInBot, type BuiltInBotDeps, installBuiltInBot } from './built-in.ts';
export { findPortableBot, insertPortableBot } from './portable.ts';
export { insertBot } from './queries.ts';
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
      findAccountId: async (appId: string, at: Db = deps.db) => (await findBot(at, appId))?.accountId,
      /** For an owner's changes inside a transaction in progress, passed as `tx`. */
      within: (tx: Database) =>
        withDeps(
          { ...deps, db: tx },
          { create: createBot, change: changeBot, listOwn: listOwnBots, findUsernameFault, suggestUsernames },
        ),
    },
    routes: botRoutes(deps),
    hooks: { account: createBotAccountHook(deps), application: createBotApplicationHook(deps) },
  };
}

/** New applications, with or without their bot, and the bot as its owner manages it. */
function botRoutes(deps: BotDeps) {
  return [
    serve(CONSOLE, {
      'GET /home': ({ person }) => showHome(deps, person.accountId),
      'GET /bot-usernames': ({ query }) => checkUsername(deps, query.like),
      'POST /applications': ({ person, body }) =>
        createApplicationWithBot(deps, person.accountId, body, { sessionId: sessionIdOf(person) }),
    }),
    serve(APPLICATION, {
      'POST /applications/:appId/bot': ({ own, body }) => createBot(deps, own, body),
      'GET /applications/:appId/bot': ({ own }) => showOwnBot(deps, own),
      'PATCH /applications/:appId/bot': ({ own, body }) => changeBot(deps, own, body),
    }),
    serve(V1, {
      'PATCH /v1/me': async ({ actor, body }) =>
        changeOverApi(deps, await deps.applications.ownedByBot(actor), body),
    }),
  ];
}

/** The same over the public API, where an upload is named by its link. */
async function changeOverApi(deps: BotDeps, own: Owned, body: ChangeBot): Promise<Bot> {
  const { config } = deps;
  const path = pathOfUploadLink(config, body.pictureUrl ?? '');
  const changed = await changeBot(deps, own, path === undefined ? body : { ...body, pictureUrl: path });
  const { pictureUrl } = changed;
  return { ...changed, ...(pictureUrl !== undefined && { pictureUrl: publicFileUrl(config, pictureUrl) }) };
}

/** The bots of a person's applications, for the data export; they are deleted with the applications. */
function createBotAccountHook({ db, accounts, applications }: BotDeps): AccountHook {
  return {
    sections: {
      async *bots(ownerId) {
        for (const { appId, name } of await applications.listOwn(ownerId)) {
          const bot = await findBot(db, appId);
          if (!bot) continue;
          const { accountId: userId, username, description, commands } = bot;
          const pictureUrl = (await findPicture(accounts, userId)) ?? undefined;
          yield { appId, userId, name, username, description, commands, pictureUrl };
        }
      },
    },
  };
}

/** The bot takes its application's name, and is deleted with it. */
function createBotApplicationHook({ db, accounts, media, accountHooks }: BotDeps): ApplicationHook {
  const tellOfBot = async (appId: string) => {
    const bot = await findBot(db, appId);
    if (bot) await Promise.all(accountHooks.map((hook) => hook.profileChanged?.(bot.accountId)));
  };
  return {
    async renamed(tx, { appId, name }) {
      const bot = await findBot(tx, appId);
      if (bot) await accounts.rename(tx, bot.accountId, name);
    },
    afterRenaming: tellOfBot,
    async deleted(tx, application) {
      const { appId: usedBy, at } = application;
      const accountId = await updateBotDeleted(tx, application, at);
      if (accountId === undefined) return;
      const before = await findPicture(accounts, accountId, tx);
      await accounts.markDeleted(tx, accountId, at);
      await media.releaseReplaced(tx, { before, after: null, usedBy, ownerId: accountId }, at);
    },
    afterDeletion: tellOfBot,
  };
}

/**
 * Creates an application and, if requested, its bot: both or neither, so that a taken username does not leave an application
 * whose secrets nobody has seen.
 *
 * @throws ApiError 429 for the 21st application; 400 and 409 as for a bot
 */
async function createApplicationWithBot(
  deps: BotDeps,
  ownerId: string,
  { name, bot }: CreateApplication,
  origin: Origin,
): Promise<NewApplication> {
  const { db, applications } = deps;
  if (!bot) return applications.create(ownerId, name, origin);
  return db.begin(async (tx) => {
    const within = joined(tx);
    const made = await applications.within(within).create(ownerId, name, origin);
    await createBot({ ...deps, db: within }, { actorId: ownerId, appId: made.appId, ...origin }, bot);
    return made;
  });
}
