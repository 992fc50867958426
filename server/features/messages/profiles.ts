import type { ConversationCommands, Peer, Profile } from '#contract/chat.ts';
import { type Account, viewPeer } from '#features/accounts/index.ts';
import { resolveInvite } from '#features/accounts/profile/invite-link.ts';
import { findAccount, findAccounts } from '#features/accounts/service.ts';
import { findBotByAccountId, findBotByUsername } from '#features/bots/service.ts';
import { contactKey, findContacts } from '#features/contacts/service.ts';
import { findGroupsOf, findMemberBots, findMembers } from '#features/groups/service.ts';
import type { Db } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { selectOneListed } from './conversation-queries.ts';
import { findOwnConversation } from './conversations.ts';

/**
 * The living bot with exactly this username, as a person sees it.
 *
 * @throws ApiError 404
 */
export async function findBotProfile(db: Db, accountId: string, username: string): Promise<Profile> {
  const bot = await findBotByUsername(db, username);
  const account = bot && (await findAccount(db, bot.userId));
  if (!account) throw notFound('username names no bot');
  return viewProfile(db, accountId, account);
}

/**
 * Whose invite link this is, as a person sees them.
 *
 * @throws ApiError 404
 */
export async function findInvitingProfile(
  deps: Pick<Platform, 'db' | 'keyring'>,
  accountId: string,
  token: string,
): Promise<Profile> {
  const { db } = deps;
  const { userId } = await resolveInvite(deps, token);
  const account = await findAccount(db, userId);
  if (!account) throw notFound('this link leads to nobody, or not any more');
  return viewProfile(db, accountId, account);
}

/**
 * Somebody whom a person shares a conversation with. Who shares none learns nothing, however they came by the id.
 *
 * @throws ApiError 404
 */
export async function showProfile(db: Db, accountId: string, userId: string): Promise<Profile> {
  const account = await findAccount(db, userId);
  if (!account || !(await isAcquainted(db, accountId, userId)))
    throw notFound('userId names nobody you know');
  return viewProfile(db, accountId, account);
}

async function isAcquainted(db: Db, accountId: string, userId: string): Promise<boolean> {
  if (accountId === userId) return true;
  const { conversationId } = contactKey(accountId, userId);
  if (await selectOneListed(db, accountId, conversationId)) return true;
  const groups = await findGroupsOf(db, accountId);
  if (groups.length === 0) return false;
  const shared = await findMembers(
    db,
    groups.map((group) => ({ ...group, accountId: userId })),
  );
  return shared.length > 0;
}

async function viewProfile(db: Db, accountId: string, account: Account): Promise<Profile> {
  const side = contactKey(accountId, account.accountId);
  const [[contact], bot] = await Promise.all([
    findContacts(db, [side]),
    account.isBot ? findBotByAccountId(db, account.accountId) : undefined,
  ]);
  return {
    ...viewPeer(account),
    conversationId: side.conversationId,
    isBlocked: contact !== undefined && contact.blockedAt !== null,
    ...(bot && { description: bot.description, commands: bot.commands }),
  };
}

/**
 * Those of the given accounts who take part in a conversation now; the others are left out.
 *
 * @throws ApiError 404 when the conversation is none of the person's own
 */
export async function findParticipants(
  db: Db,
  accountId: string,
  { conversationId, userIds }: { conversationId: string; userIds: string[] },
): Promise<Peer[]> {
  const { kind, bucket, peerId } = await findOwnConversation(db, accountId, conversationId);
  const asked = userIds.filter((userId) => isId('usr', userId));
  if (asked.length === 0) return [];
  const present =
    kind === 'private'
      ? asked.filter((userId) => userId === peerId || userId === accountId)
      : (
          await findMembers(
            db,
            asked.map((userId) => ({ bucket, groupId: conversationId, accountId: userId })),
          )
        ).map((member) => member.accountId);
  return (await findAccounts(db, present)).map(viewPeer);
}

/**
 * What may be typed after `/` in a conversation: the commands of the bots that hear it.
 *
 * @throws ApiError 404 when the conversation is none of the person's own
 */
export async function listCommands(
  db: Db,
  accountId: string,
  conversationId: string,
): Promise<ConversationCommands> {
  const { kind, bucket, peerId } = await findOwnConversation(db, accountId, conversationId);
  const hearers =
    kind === 'private'
      ? [peerId as string]
      : (await findMemberBots(db, [{ bucket, groupId: conversationId }])).map((bot) => bot.accountId);
  const bots = (await findAccounts(db, hearers)).filter(
    ({ isBot, deletedAt }) => isBot && deletedAt === null,
  );
  return Promise.all(
    bots.map(async (account) => ({
      bot: viewPeer(account),
      commands: (await findBotByAccountId(db, account.accountId))?.commands ?? [],
    })),
  );
}
