import type { AccountProfile } from '#contract/accounts/me.ts';
import type { LastSeen } from '#contract/chat/receipts.ts';
import type { ConversationCommands, Peer, Profile } from '#contract/chat.ts';
import { type Account, viewAccount, viewPeer } from '#features/accounts/index.ts';
import { contactKey } from '#features/contacts/index.ts';
import { isKnownIn } from '#features/groups/index.ts';
import { withoutAbsent } from '#platform/absent.ts';
import { notFound } from '#platform/errors.ts';
import { bucketOf, isId } from '#platform/ids.ts';
import { findOwnConversation, type OwnConversation } from '../access/own-conversation.ts';
import { selectOneListed } from '../access/queries.ts';
import type { MessageDeps } from '../deps.ts';
import { isQuiet } from '../quiet-bots.ts';

const USERNAME = /^[a-z0-9_]{5,32}$/;

/**
 * The person or undeleted bot with exactly this username, as a person sees them.
 *
 * @throws ApiError 404, 429
 */
export async function findProfile(deps: MessageDeps, accountId: string, username: string): Promise<Profile> {
  if (username.endsWith('bot')) return findBotProfile(deps, accountId, username);
  await deps.limits.finding.count(accountId);
  const userId = USERNAME.test(username) ? await deps.accounts.findIdByUsername(username) : undefined;
  const account = userId && (await deps.accounts.find(userId));
  if (!account || account.deletedAt !== null) throw notFound('person.username-unknown');
  return viewProfile(deps, accountId, account);
}

/**
 * The undeleted bot with exactly this username, as a person sees it.
 *
 * @throws ApiError 404
 */
export async function findBotProfile(
  deps: MessageDeps,
  accountId: string,
  username: string,
): Promise<Profile> {
  const bot = await deps.bots.findByUsername(username);
  const account = bot && (await deps.accounts.find(bot.userId));
  if (!account) throw notFound('bot.username-unknown');
  return viewProfile(deps, accountId, account);
}

/**
 * The owner of an invite link, as a person sees them.
 *
 * @throws ApiError 404
 */
export async function findInvitingProfile(
  deps: MessageDeps,
  accountId: string,
  token: string,
): Promise<Profile> {
  const { userId } = await deps.accounts.resolveInvite(token);
  const account = await deps.accounts.find(userId);
  if (!account) throw notFound('account.link-gone');
  return viewProfile(deps, accountId, account);
}

/**
 * Somebody whom a person shares a conversation with. Without one, nothing is revealed, however the id was
 * obtained.
 *
 * @throws ApiError 404
 */
export async function showProfile(deps: MessageDeps, accountId: string, userId: string): Promise<Profile> {
  const account = await deps.accounts.find(userId);
  if (!account || !(await isAcquainted(deps, accountId, userId))) throw notFound('recipient.not-known');
  return viewProfile(deps, accountId, account);
}

/**
 * Somebody who wrote to a bot, or is in a group with it, as the bot sees them.
 *
 * @throws ApiError 404
 */
export async function showProfileToBot(
  deps: MessageDeps,
  botId: string,
  userId: string,
): Promise<AccountProfile> {
  const account = await deps.accounts.find(userId);
  if (!account || account.deletedAt !== null || !(await isKnownToBot(deps, botId, userId)))
    throw notFound('recipient.not-known');
  return viewAccount(deps.config, account);
}

async function isKnownToBot(deps: MessageDeps, botId: string, userId: string): Promise<boolean> {
  if (botId === userId) return true;
  const [contact] = await deps.contacts.find([contactKey(userId, botId)]);
  if (contact?.wroteAt != null) return true;
  // A person is in fewer groups than a bot.
  const shared = await deps.groups.findShared(userId, botId);
  return shared.some((group) => isKnownIn(group, userId, botId));
}

async function isAcquainted(deps: MessageDeps, accountId: string, userId: string): Promise<boolean> {
  if (accountId === userId) return true;
  const { conversationId } = contactKey(accountId, userId);
  if (await selectOneListed(deps.db, accountId, conversationId)) return true;
  return (await findCommonGroups(deps, accountId, userId)).length > 0;
}

/** Groups that both are in; no broadcast lists, whose readers do not learn of each other. */
async function findCommonGroups(
  { groups }: MessageDeps,
  accountId: string,
  userId: string,
): Promise<Profile['commonGroups']> {
  const open = (await groups.findShared(accountId, userId)).filter(({ isBroadcast }) => !isBroadcast);
  return open.map(({ groupId, name, photoUrl, photoSetBy }) =>
    withoutAbsent({ groupId, name, photoUrl, photoSetBy }),
  );
}

async function viewProfile(deps: MessageDeps, accountId: string, account: Account): Promise<Profile> {
  const { applications, bots, contacts } = deps;
  const { accountId: userId, isBot, appId } = account;
  const side = contactKey(accountId, userId);
  const isOther = userId !== accountId;
  const [[contact], lastSeenAt, bot, isQuietInGroups, commonGroups] = await Promise.all([
    contacts.find([side]),
    isOther ? findLastSeen(deps, accountId, userId) : undefined,
    isBot ? bots.findByAccountId(userId, accountId) : undefined,
    appId !== null && isQuiet(applications, appId),
    isOther ? findCommonGroups(deps, accountId, userId) : [],
  ]);
  return {
    ...viewPeer(account),
    conversationId: side.conversationId,
    isBlocked: contact !== undefined && contact.blockedAt !== null,
    commonGroups,
    ...(lastSeenAt !== undefined && { lastSeenAt }),
    ...(bot && { description: bot.description, commands: bot.commands, isQuietInGroups }),
  };
}

/** Hidden from people to whom the person has not written, or whom they block; bots are never seen. */
async function findLastSeen(
  { accounts, contacts }: MessageDeps,
  accountId: string,
  userId: string,
): Promise<number | undefined> {
  const [theirs] = await contacts.find([contactKey(userId, accountId)]);
  const isShown = theirs?.wroteAt != null && theirs.blockedAt === null;
  return isShown ? accounts.findLastSeen(accountId, userId) : undefined;
}

/**
 * When the other side of a private conversation was last seen.
 *
 * @throws ApiError 404 when it is not one of the person's conversations
 */
export async function showLastSeen(deps: MessageDeps, own: OwnConversation): Promise<LastSeen> {
  const { peerId } = await findOwnConversation(deps.db, own);
  const lastSeenAt = peerId == null ? undefined : await findLastSeen(deps, own.accountId, peerId);
  return lastSeenAt === undefined ? {} : { lastSeenAt };
}

/**
 * Those of the given accounts that take part in a conversation now, as far as the person learns of them.
 *
 * @throws ApiError 404 when it is not one of the person's conversations
 */
export async function findParticipants(
  { db, accounts, groups }: MessageDeps,
  own: OwnConversation,
  userIds: string[],
): Promise<Peer[]> {
  const { accountId, conversationId: groupId } = own;
  const { kind, bucket, peerId } = await findOwnConversation(db, own);
  const asked = userIds.filter((userId) => isId('usr', userId));
  if (asked.length === 0) return [];
  const present =
    kind === 'private'
      ? asked.filter((userId) => userId === peerId || userId === accountId)
      : await withoutUnknown(
          groups,
          own,
          await groups.findMembers(asked.map((userId) => ({ bucket, groupId, accountId: userId }))),
        );
  return (await accounts.findAll(present)).map(viewPeer);
}

/** Those of the members of a group whom a person learns of there: readers of a broadcast list do not learn of each other. */
async function withoutUnknown(
  groups: MessageDeps['groups'],
  { accountId, conversationId: groupId }: OwnConversation,
  members: readonly { accountId: string }[],
): Promise<string[]> {
  const [group] = await groups.find([{ bucket: bucketOf(groupId), groupId }]);
  return members.flatMap((member) =>
    group && isKnownIn(group, accountId, member.accountId) ? member.accountId : [],
  );
}

/**
 * The commands of the bots in a conversation, which may be typed after `/`.
 *
 * @throws ApiError 404 when it is not one of the person's conversations
 */
export async function listCommands(
  { db, accounts, bots, groups }: MessageDeps,
  own: OwnConversation,
): Promise<ConversationCommands> {
  const { kind, bucket, peerId } = await findOwnConversation(db, own);
  const accountIds =
    kind === 'private'
      ? [peerId as string]
      : await withoutUnknown(groups, own, await groups.findBots([{ bucket, groupId: own.conversationId }]));
  const living = (await accounts.findAll(accountIds)).filter(
    ({ isBot, deletedAt }) => isBot && deletedAt === null,
  );
  return Promise.all(
    living.map(async (account) => ({
      bot: viewPeer(account),
      commands: (await bots.findByAccountId(account.accountId, own.accountId))?.commands ?? [],
    })),
  );
}
