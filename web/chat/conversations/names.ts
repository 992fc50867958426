import type { Conversation } from '#contract/chat.ts';

/** How a conversation is shown: by whom it is with, or as the group it is. */
export function faceOf({ conversationId, peer, group }: Conversation): {
  name: string;
  seed: string;
  pictureUrl: string | undefined;
} {
  if (group) return { name: group.name, seed: group.groupId, pictureUrl: group.photoUrl };
  return { name: peer?.name ?? '', seed: peer?.userId ?? conversationId, pictureUrl: peer?.pictureUrl };
}
