import type { Conversation, Lifetime } from '#contract/chat.ts';
import { permissionDenied } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { findChangedConversation } from '../access/changed-conversation.ts';
import type { OwnConversation } from '../access/own-conversation.ts';
import { writeNotice } from '../notices.ts';
import { selectRetention, upsertLifetime } from '../retention/queries.ts';
import { type ConversationDeps, showConversation } from './list.ts';

/**
 * Changes how long the messages of a conversation are kept, existing ones included. Either side of a private
 * conversation may change it, and an administrator of a group. A notice in the thread announces it.
 *
 * @param days undefined for the setting of the server
 * @throws ApiError 404; 403 for a member of the group
 */
export async function changeLifetime(
  deps: ConversationDeps & Pick<Platform, 'live' | 'newId'>,
  own: OwnConversation,
  days: Lifetime | undefined,
): Promise<Conversation> {
  const { db, clock, live } = deps;
  const { accountId, conversationId } = own;
  const { bucket, topics, isAdmin, kind } = await findChangedConversation(deps, own);
  if (kind === 'group' && !isAdmin) throw permissionDenied('group.not-an-administrator');
  const lifetimeDays = days ?? null;
  const show = await db.begin(async (tx) => {
    const [before] = await selectRetention(tx, [{ bucket, conversationId }]);
    if ((before?.lifetimeDays ?? null) === lifetimeDays) return undefined;
    await upsertLifetime(tx, { bucket, conversationId }, lifetimeDays);
    const at = clock.now();
    const notice = { kind: 'retention', ...(days !== undefined && { lifetimeDays: days }) } as const;
    return writeNotice(
      tx,
      deps,
      { bucket, groupId: conversationId, topics },
      { ...notice, from: accountId, at },
    );
  });
  if (show) {
    show();
    const data = { conversationId, lifetimeDays };
    for (const topic of topics) live.publish(topic, { type: 'conversation.retention', data });
  }
  return showConversation(deps, own);
}
