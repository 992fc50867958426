import { LIMITS } from '#contract/limits.ts';
import type { Groups } from '#features/groups/index.ts';
import type { ListedConversation } from './queries.ts';

/**
 * The topic on which reading and typing in a conversation is published: of the other person, or of the group.
 * None for broadcast lists, whose readers would learn of each other, and for large groups, where it would be
 * too much.
 */
export async function findAudience(
  { groups }: { groups: Groups },
  {
    kind,
    bucket,
    conversationId,
    peerId,
  }: Pick<ListedConversation, 'kind' | 'bucket' | 'conversationId' | 'peerId'>,
): Promise<string | undefined> {
  if (kind === 'private') return peerId ?? undefined;
  const [group] = await groups.find([{ bucket, groupId: conversationId }]);
  return group && audienceOfGroup(group);
}

type Group = Awaited<ReturnType<Groups['find']>>[number];

export function audienceOfGroup({ groupId, isBroadcast, memberCount }: Group): string | undefined {
  return isBroadcast || memberCount > LIMITS.receiptsGroupSize ? undefined : groupId;
}
