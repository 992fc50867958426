import type { Accounts } from '#features/accounts/index.ts';
import { type Contacts, contactKey } from '#features/contacts/index.ts';
import { type Groups, groupNotFound, refuseToEdit, refuseToPost } from '#features/groups/index.ts';
import type { Db } from '#platform/database.ts';
import { type ApiError, failedPrecondition } from '#platform/errors.ts';
import { refuseFromPerson } from '../rules.ts';
import { findOwnConversation, type OwnConversation } from './own-conversation.ts';

/** A conversation in which somebody changes a message. */
export interface ChangedConversation {
  bucket: number;
  kind: 'private' | 'group';
  /** On whose open pages it is shown. */
  topics: readonly string[];
  /** The bots that receive the person's messages there. */
  appIds: readonly string[];
  isAdmin: boolean;
  /** The reason why the person cannot write there, if any. */
  refusal: ApiError | undefined;
  /** The reason why the person cannot react there, if any; people who may only read a group can react. */
  reactionRefusal: ApiError | undefined;
  /** The reason why the person cannot pin messages there, if any. */
  pinRefusal: ApiError | undefined;
}

/** @throws ApiError 404 when it is not one of the person's */
export async function findChangedConversation(
  deps: { db: Db; accounts: Accounts; contacts: Contacts; groups: Groups },
  own: OwnConversation,
): Promise<ChangedConversation> {
  const { accountId, conversationId } = own;
  const { bucket, kind, peerId } = await findOwnConversation(deps.db, own);
  if (kind === 'group') {
    const [found, bots] = await Promise.all([
      deps.groups.findForActor(conversationId, accountId),
      deps.groups.findBots([{ bucket, groupId: conversationId }]),
    ]);
    if (!found) throw groupNotFound();
    const { group, member } = found;
    return {
      bucket,
      kind,
      topics: [conversationId],
      appIds: bots.map(({ botAppId }) => botAppId),
      isAdmin: member?.isAdmin ?? false,
      refusal: refuseToPost(group, member),
      // Its readers would learn of each other.
      reactionRefusal: group.isBroadcast ? failedPrecondition('message.no-reactions') : undefined,
      pinRefusal: refuseToEdit(group, member, { surface: 'chat', isInfoOnly: true }),
    };
  }
  const peer = String(peerId);
  const [recipient, sides] = await Promise.all([
    deps.accounts.find(peer),
    deps.contacts.find([contactKey(accountId, peer), contactKey(peer, accountId)]),
  ]);
  const isBlocking = (blocker: string) =>
    sides.some((side) => side.accountId === blocker && side.blockedAt !== null);
  const refusal = refuseFromPerson(recipient, {
    hasBlocked: isBlocking(accountId),
    isBlocked: isBlocking(peer),
    isQuoteMissing: false,
  });
  return {
    bucket,
    kind,
    topics: [accountId, peer],
    appIds: recipient?.isBot && recipient.appId !== null ? [recipient.appId] : [],
    isAdmin: false,
    refusal,
    reactionRefusal: refusal,
    pinRefusal: refusal,
  };
}
