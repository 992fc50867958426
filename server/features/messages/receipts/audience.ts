import { LIMITS } from '#contract/limits.ts';
import type { Groups } from '#features/groups/index.ts';
import type { ListedConversation } from '../access/queries.ts';

/**
 * On whose pages it is told that somebody reads or types in a conversation: those of the other person, or of the group. Not in
 * a broadcast list, whose readers would learn of each other, nor in a large group, where everybody would be told of everybody.
 */
export async function findAudience(
  { groups }: { groups: Groups },
  { kind, bucket, conversationId, peerId }: ListedConversation,
): Promise<string | undefined> {
  if (kind === 'private') return peerId ?? undefined;
  const [group] = await groups.find([{ bucket, groupId: conversationId }]);
  const isTold = group && !group.isBroadcast && group.memberCount <= LIMITS.receiptsGroupSize;
  return isTold ? conversationId : undefined;
}
