import type { Conversation, Lifetime } from '#contract/chat.ts';
import { permissionDenied } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { inChangedConversation } from '../access/changed-conversation.ts';
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
  const { clock, live } = deps;
  const { accountId, conversationId } = own;
  const lifetimeDays = days ?? null;
  const changed = await inChangedConversation(deps, own, { isShared: false }, async (tx, found) => {
    const { bucket, topics, isAdmin, kind } = found;
    if (kind === 'group' && !isAdmin) throw permissionDenied('group.not-an-administrator');
    const [before] = await selectRetention(tx, [{ bucket, conversationId }]);
    if ((before?.lifetimeDays ?? null) === lifetimeDays) return undefined;
    await upsertLifetime(tx, { bucket, conversationId }, lifetimeDays);
    const at = clock.now();
    const notice = { kind: 'retention', ...(days !== undefined && { lifetimeDays: days }) } as const;
    const group = { bucket, groupId: conversationId, topics };
    return { show: await writeNotice(tx, deps, group, { ...notice, from: accountId, at }), topics };
  });
  if (changed) {
    changed.show();
    const data = { conversationId, lifetimeDays };
    for (const topic of changed.topics) live.publish(topic, { type: 'conversation.retention', data });
  }
  return showConversation(deps, own);
}
