import type { ApplicationSummary } from '#contract/applications.ts';
import { type Bot, type BotCommand, ChangeBot, type CreateBot } from '#contract/bots.ts';
import { type Account, type AccountHook, type Accounts, findServiceName } from '#features/accounts/index.ts';
import type { Applications, Owned } from '#features/applications/index.ts';
import type { Media } from '#features/media/index.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { Db, Tx } from '#platform/database.ts';
import { alreadyExists, invalidArgument, notFound } from '#platform/errors.ts';
import { requireFileUrl } from '#platform/files/upload-links.ts';
import type { Platform } from '#platform/platform.ts';
import { textsIn } from '#platform/texts.ts';
import { type BotRow, findBot, findBots, findBuiltInBot, insertBot, updateBot } from './queries.ts';

export type BotDeps = Platform & {
  media: Media;
  accounts: Accounts;
  applications: Applications;
  accountHooks: readonly AccountHook[];
};

/**
 * Creates the single bot of an application; it has the application's name (contract §2).
 *
 * @throws ApiError 409 when the application has a bot, or the username has ever been taken
 */
export async function createBot(
  deps: BotDeps,
  own: Owned,
  { username, description, commands }: CreateBot,
): Promise<Bot> {
  const { db, clock, newId, config, accounts, applications } = deps;
  const serviceName = findServiceName(username, config);
  if (serviceName !== undefined) throw invalidArgument('username', 'reserved-word', { word: serviceName });
  const announced = readCommands(commands);
  return db.begin(async (tx) => {
    const application = await applications.lockOwn(tx, own);
    const { appId, name } = application;
    const profile = { username, description: description ?? '', commands: announced ?? [] };
    const bot = { ...profile, appId, accountId: newId('usr'), createdAt: clock.now() };
    if (!(await insertBot(tx, application, bot))) throw alreadyExists('application.has-bot');
    if (!(await accounts.createForBot(tx, { ...bot, name }))) throw alreadyExists('bot.username-taken');
    await applications.recordAudit(tx, own, 'bot.created', { username });
    return viewOwnBot(bot, name);
  });
}

/**
 * Omitted fields are unchanged; an empty description or list clears its field, and a `pictureUrl` of null removes the
 * picture. Open pages of the bot's groups are notified of a new picture.
 */
export async function changeBot(
  { db, clock, accounts, applications, media, accountHooks }: BotDeps,
  own: Owned,
  { description, commands, pictureUrl, plainText }: ChangeBot,
): Promise<Bot> {
  const given = [description ?? undefined, commands ?? undefined, pictureUrl, plainText ?? undefined];
  if (given.every((detail) => detail === undefined))
    throw invalidArgument('body', 'needs-one-of', { fields: Object.keys(ChangeBot.properties).join(', ') });
  const announced = readCommands(commands);
  const picture = pictureUrl == null ? null : requireFileUrl('pictureUrl', pictureUrl);
  if (picture !== null) await applications.requireOwn(own);
  const change = async (tx: Tx) => {
    const application = await applications.lockOwn(tx, own);
    const { appId, name } = application;
    const before = await findBot(tx, appId);
    if (!before) throw botNotFound();
    const { accountId } = before;
    const changed = { ...before, ...withoutAbsent({ description, commands: announced }) };
    const fields = [
      ...(description == null ? [] : ['description']),
      ...(commands == null ? [] : ['commands']),
      ...(pictureUrl === undefined ? [] : ['picture']),
      ...(plainText == null ? [] : ['plainText']),
    ];
    await applications.recordAudit(tx, own, 'bot.changed', { fields });
    await updateBot(tx, application, changed);
    if (plainText != null) await accounts.changePlainText(tx, accountId, plainText);
    if (pictureUrl !== undefined) {
      const pictureBefore = await findPicture(accounts, accountId, tx);
      await accounts.setPicture(tx, accountId, picture);
      const use = { before: pictureBefore, after: picture, usedBy: appId, ownerId: own.actorId };
      await media.releaseReplaced(tx, use, clock.now());
    }
    return viewOwnBot(changed, name, await accounts.find(accountId, tx));
  };
  const bot = await media.withClaim({ pictureUrl: picture }, [own.appId], () => db.begin(change));
  if (pictureUrl !== undefined || plainText != null)
    await Promise.all(accountHooks.map((hook) => hook.profileChanged?.(bot.userId)));
  return bot;
}

export async function findPicture(
  accounts: Pick<Accounts, 'find'>,
  accountId: string,
  at?: Db,
): Promise<string | null> {
  return (await accounts.find(accountId, at))?.pictureUrl ?? null;
}

/** @throws ApiError 404 */
export async function showOwnBot({ db, accounts, applications }: BotDeps, own: Owned): Promise<Bot> {
  const { appId, name } = await applications.requireOwn(own);
  const bot = await findBot(db, appId);
  if (!bot) throw botNotFound();
  return viewOwnBot(bot, name, await accounts.find(bot.accountId));
}

/** The public profile of a bot. */
type ShownBot = Omit<Bot, 'plainText' | 'pictureUrl'>;

type BotFinding = Pick<BotDeps, 'db' | 'accounts'>;

/** The undeleted bot with exactly this username: the only way to find a bot (contract §1). */
export async function findBotByUsername(deps: BotFinding, username: string): Promise<ShownBot | undefined> {
  if (!/^[a-z0-9_]{2,29}bot$/.test(username)) return undefined;
  const accountId = await deps.accounts.findIdByUsername(username);
  const profile = accountId && (await findBotByAccountId(deps, accountId));
  if (!profile || profile.isDeleted) return undefined;
  return viewBot(profile, profile.name);
}

/** A bot in its owner's list. */
export interface OwnBot extends ShownBot {
  appId: string;
  state: ApplicationSummary['state'];
}

/** The undeleted bots of a person, in order of the creation of their applications. */
export async function listOwnBots({ db, applications }: BotDeps, ownerId: string): Promise<OwnBot[]> {
  const own = await applications.listOwn(ownerId, db);
  const bots = await findBots(
    db,
    own.map(({ appId }) => appId),
  );
  const botOf = new Map(bots.map((bot) => [bot.appId, bot]));
  return own.flatMap(({ appId, name, state }) => {
    const bot = botOf.get(appId);
    return bot ? { ...viewBot(bot, name), appId, state } : [];
  });
}

/** A bot as shown to the people who talk to it. */
export interface BotProfile {
  accountId: string;
  /** Null for a bot of the server itself. */
  appId: string | null;
  name: string;
  username: string;
  description: string;
  commands: BotCommand[];
  isDeleted: boolean;
}

/** The profile of the bot with this account; of a deleted bot only that it is deleted (decisions: Identity). */
export async function findBotByAccountId(
  deps: BotFinding,
  accountId: string,
  /** The person who reads the profile of a bot of the server itself, which is in their language. */
  readerId?: string,
): Promise<BotProfile | undefined> {
  const { db, accounts } = deps;
  const account = await accounts.find(accountId);
  if (!account?.isBot) return undefined;
  if (account.appId === null) return findBuiltInProfile(deps, account, readerId);
  const bot = await findBot(db, account.appId);
  if (!bot) return undefined;
  const { appId, username, description, commands } = bot;
  const isDeleted = account.deletedAt !== null;
  const shown = isDeleted
    ? { name: 'Deleted bot', description: '', commands: [] }
    : { name: account.name, description, commands };
  return { accountId, appId, username, isDeleted, ...shown };
}

async function findBuiltInProfile(
  { db, accounts }: BotFinding,
  { accountId, name, username }: Account,
  readerId: string | undefined,
): Promise<BotProfile | undefined> {
  const bot = await findBuiltInBot(db, accountId);
  if (!bot) return undefined;
  const t = textsIn(readerId === undefined ? 'en' : await accounts.findLanguage(readerId));
  return {
    accountId,
    appId: null,
    name,
    username: username ?? '',
    description: t('bot.profile.description'),
    commands: bot.commands.map(({ command, description }) => ({
      command,
      description: t.find(`bot.command.${command}`) ?? description,
    })),
    isDeleted: false,
  };
}

/** Commands without unknown fields of the request. @throws ApiError 400 for a duplicate */
function readCommands(commands: readonly BotCommand[] | null | undefined): BotCommand[] | undefined {
  const names = commands?.map(({ command }) => command);
  // People could not tell which of the two they choose.
  const repeated = names?.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw invalidArgument('commands', 'repeated-entry', { word: repeated });
  return commands?.map(({ command, description }) => ({ command, description }));
}

function botNotFound() {
  return notFound('application.no-bot');
}

type ShownRow = Pick<BotRow, 'accountId' | 'username' | 'description' | 'commands'>;

function viewBot({ accountId, username, description, commands }: ShownRow, name: string): ShownBot {
  return { userId: accountId, name, username, description, commands };
}

/** The bot with the fields of its account. */
function viewOwnBot(bot: ShownRow, name: string, account?: Pick<Account, 'pictureUrl' | 'plainText'>): Bot {
  const { pictureUrl = null, plainText = false } = account ?? {};
  return { ...viewBot(bot, name), ...(pictureUrl !== null && { pictureUrl }), plainText };
}
