import { contactKey } from '#features/contacts/index.ts';
import { groupNotFound, refuseToAdminister, refuseToEdit, refuseToPost } from '#features/groups/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { type ApiError, failedPrecondition, notFound } from '#platform/errors.ts';
import type { MessageDeps } from '../deps.ts';
import type { MemberBot } from '../quiet-bots.ts';
import { audienceOfGroup, refuseBlocked, refuseFromBot, refuseFromPerson } from '../rules.ts';
import type { BotConversation } from './bot-conversation.ts';
import { findOwnConversation, type OwnConversation } from './own-conversation.ts';
import type { ListedConversation } from './queries.ts';

/** A group, or the person with whom a bot talks in private. */
export type ShownConversation = { groupId: string } | { chatId: string };

/** A conversation in which a person or a bot changes a message. */
export interface ChangedConversation extends ConversationRights {
  /** Those that receive the messages there, without the one that makes the change. */
  bots: readonly MemberBot[];
}

/** The rights of a person or a bot in a conversation. */
interface ConversationRights {
  bucket: number;
  /** On whose open pages it is shown. */
  topics: readonly string[];
  /** The topic on which reading and typing there is published, if it is. */
  audience: string | undefined;
  /** How events of bots name the conversation. */
  shownAs: ShownConversation;
  isAdmin: boolean;
  /** The reason why the person cannot write there, if any. */
  refusal: ApiError | undefined;
  /** The reason why the person cannot react there, if any; people who may only read a group can react. */
  reactionRefusal: ApiError | undefined;
  /** The reason why the person cannot pin messages there, if any. */
  pinRefusal: ApiError | undefined;
  /** The reason why the person cannot decide how long messages are kept there, if any. */
  retentionRefusal: ApiError | undefined;
}

type Listed = Pick<ListedConversation, 'bucket' | 'kind' | 'peerId'>;

/**
 * Changes a conversation in a transaction that has judged it: memberships, settings of the group and blocks stay as they
 * are until the transaction ends. With `alone`, changes of one conversation follow each other.
 *
 * @throws ApiError 404 when it is not one of the person's
 */
export async function inChangedConversation<T>(
  deps: MessageDeps,
  own: OwnConversation | BotConversation,
  lock: 'shared' | 'alone',
  change: (tx: Tx, conversation: ChangedConversation) => Promise<T>,
): Promise<T> {
  const listed = 'isBot' in own ? own : await findOwnConversation(deps.db, own);
  const { bucket, kind, conversationId } = listed;
  return deps.db.begin(async (tx) => {
    const group = { bucket, groupId: conversationId };
    const isShared = lock === 'shared';
    if (kind === 'private') await deps.contacts.lock(tx, listed, { isShared });
    else await (isShared ? deps.groups.keep(tx, [group]) : deps.groups.lock(tx, group));
    const [rights, bots] = await Promise.all([
      findRights(deps, own, listed, tx),
      kind === 'group' ? deps.groups.findBots([group], tx) : [],
    ]);
    const inGroup = bots.filter((bot) => bot.accountId !== own.accountId);
    return change(tx, { ...rights, bots: [...rights.bots, ...inGroup] });
  });
}

/**
 * The rights of a person or a bot in a conversation, which was looked up before.
 *
 * @throws ApiError 404 when they have left the group
 */
export async function findRights(
  deps: MessageDeps,
  own: OwnConversation | BotConversation,
  { bucket, kind, peerId }: Listed,
  db: Db = deps.db,
): Promise<ConversationRights & { bots: MemberBot[] }> {
  const { accountId, conversationId } = own;
  if (kind === 'group') {
    const found = await deps.groups.findForActor(conversationId, accountId, db);
    if (!found) throw groupNotFound(conversationId);
    const { group, member } = found;
    if (!member) throw notFound('conversation.unknown');
    return {
      bucket,
      topics: [conversationId],
      audience: audienceOfGroup(group),
      // Those of the group are read for changes only.
      bots: [],
      shownAs: { groupId: conversationId },
      isAdmin: member.isAdmin,
      refusal: refuseToPost(group, member),
      // Its readers would learn of each other.
      reactionRefusal: group.isBroadcast ? failedPrecondition('message.no-reactions') : undefined,
      pinRefusal: refuseToEdit(group, member, { surface: 'chat', isInfoOnly: true }),
      retentionRefusal: refuseToAdminister(member),
    };
  }
  const peer = String(peerId);
  const [recipient, sides] = await Promise.all([
    deps.accounts.find(peer, db),
    deps.contacts.find([contactKey(accountId, peer), contactKey(peer, accountId)], db),
  ]);
  const [ownSide, theirs] = [accountId, peer].map((id) => sides.find((side) => side.accountId === id));
  const refusal =
    'isBot' in own
      ? refuseFromBot(
          { exists: recipient?.deletedAt === null, isBot: false },
          theirs,
          false,
          'conversationId',
        )
      : refuseFromPerson(recipient, ownSide, theirs);
  return {
    bucket,
    topics: [accountId, peer],
    audience: peer,
    bots:
      recipient?.isBot && recipient.appId !== null ? [{ accountId: peer, botAppId: recipient.appId }] : [],
    shownAs: { chatId: accountId },
    isAdmin: false,
    refusal,
    reactionRefusal: refusal,
    pinRefusal: refusal,
    // A deleted account does not keep the other side from it.
    retentionRefusal: refuseBlocked(ownSide, theirs),
  };
}
