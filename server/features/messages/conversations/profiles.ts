import type { ConversationCommands, Peer, Profile } from '#contract/chat.ts';
import { type Account, type Accounts, viewPeer } from '#features/accounts/index.ts';
import type { Bots } from '#features/bots/index.ts';
import { type Contacts, contactKey } from '#features/contacts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import { notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { findOwnConversation, type OwnConversation } from './list.ts';
import { selectOneListed } from './queries.ts';

type Deps = Pick<Platform, 'db' | 'keyring'> & {
  accounts: Accounts;
  bots: Bots;
  contacts: Contacts;
  groups: Groups;
};

/**
 * The living bot with exactly this username, as a person sees it.
 *
 * @throws ApiError 404
 */
export async function findBotProfile(deps: Deps, accountId: string, username: string): Promise<Profile> {
  const bot = await deps.bots.findByUsername(username);
  const account = bot && (await deps.accounts.find(bot.userId));
  if (!account) throw notFound('bot.username-unknown');
  return viewProfile(deps, accountId, account);
}

/**
 * Whose invite link this is, as a person sees them.
 *
 * @throws ApiError 404
 */
export async function findInvitingProfile(deps: Deps, accountId: string, token: string): Promise<Profile> {
  const { userId } = await deps.accounts.resolveInvite(token);
  const account = await deps.accounts.find(userId);
  if (!account) throw notFound('account.link-gone');
  return viewProfile(deps, accountId, account);
}

/**
 * Somebody whom a person shares a conversation with. Who shares none learns nothing, however they came by the id.
 *
 * @throws ApiError 404
 */
export async function showProfile(deps: Deps, accountId: string, userId: string): Promise<Profile> {
  const account = await deps.accounts.find(userId);
  if (!account || !(await isAcquainted(deps, accountId, userId))) throw notFound('recipient.not-known');
  return viewProfile(deps, accountId, account);
}

async function isAcquainted({ db, groups }: Deps, accountId: string, userId: string): Promise<boolean> {
  if (accountId === userId) return true;
  const { conversationId } = contactKey(accountId, userId);
  if (await selectOneListed(db, accountId, conversationId)) return true;
  const own = await groups.findOf(accountId);
  if (own.length === 0) return false;
  const shared = await groups.findMembers(own.map((group) => ({ ...group, accountId: userId })));
  return shared.length > 0;
}

async function viewProfile({ bots, contacts }: Deps, accountId: string, account: Account): Promise<Profile> {
  const side = contactKey(accountId, account.accountId);
  const [[contact], bot] = await Promise.all([
    contacts.find([side]),
    account.isBot ? bots.findByAccountId(account.accountId) : undefined,
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
 * @throws ApiError 404 when it is not one of the person's conversations
 */
export async function findParticipants(
  { db, accounts, groups }: Deps,
  own: OwnConversation,
  userIds: string[],
): Promise<Peer[]> {
  const { accountId, conversationId } = own;
  const { kind, bucket, peerId } = await findOwnConversation(db, own);
  const asked = userIds.filter((userId) => isId('usr', userId));
  if (asked.length === 0) return [];
  const present =
    kind === 'private'
      ? asked.filter((userId) => userId === peerId || userId === accountId)
      : (
          await groups.findMembers(
            asked.map((userId) => ({ bucket, groupId: conversationId, accountId: userId })),
          )
        ).map((member) => member.accountId);
  return (await accounts.findAll(present)).map(viewPeer);
}

/**
 * The commands that may be typed after `/` in a conversation: those of its bots.
 *
 * @throws ApiError 404 when it is not one of the person's conversations
 */
export async function listCommands(
  { db, accounts, bots, groups }: Deps,
  own: OwnConversation,
): Promise<ConversationCommands> {
  const { kind, bucket, peerId } = await findOwnConversation(db, own);
  const hearers =
    kind === 'private'
      ? [peerId as string]
      : (await groups.findBots([{ bucket, groupId: own.conversationId }])).map((bot) => bot.accountId);
  const living = (await accounts.findAll(hearers)).filter(
    ({ isBot, deletedAt }) => isBot && deletedAt === null,
  );
  return Promise.all(
    living.map(async (account) => ({
      bot: viewPeer(account),
      commands: (await bots.findByAccountId(account.accountId))?.commands ?? [],
    })),
  );
}
