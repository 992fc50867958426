import { LIMITS } from './limits.ts';

/** Who may write in a group or broadcast list, a poll included; without TypeBox, since pages ask it, too. */
export function mayPost(
  group: { isBroadcast: boolean; sendMessages: boolean; creatorId: string },
  member: { accountId: string; isAdmin: boolean },
): boolean {
  return group.isBroadcast ? group.creatorId === member.accountId : group.sendMessages || member.isAdmin;
}

/** How long a text that a message of this type has may be; undefined where it has none to edit. */
export function editableLength(type: string): number | undefined {
  switch (type) {
    case 'text':
      return LIMITS.textLength;
    case 'image':
    case 'video':
    case 'doc':
      return LIMITS.captionLength;
    default:
      return undefined;
  }
}

/** Whether a person hears nothing of a conversation at this moment: one that is muted for a time is muted no more after it. */
export function isMutedAt(
  { isMuted, mutedUntil }: { isMuted: boolean; mutedUntil?: number | undefined },
  now: number,
): boolean {
  return isMuted && (mutedUntil === undefined || now < mutedUntil);
}

/** Whether a conversation is put away: it comes back with a new message, unless it is muted. */
export function isArchivedAt(
  conversation: Parameters<typeof isMutedAt>[0] & {
    archivedMsgId?: string | undefined;
    lastMessage?: { msgId: string } | undefined;
  },
  now: number,
): boolean {
  const { archivedMsgId, lastMessage } = conversation;
  if (archivedMsgId === undefined) return false;
  return (lastMessage?.msgId ?? '') <= archivedMsgId || isMutedAt(conversation, now);
}

/** Whether a message is young enough to be edited, or deleted for everybody, by whoever wrote it. */
export function isChangeable({ sentAt }: { sentAt: number }, now: number): boolean {
  return now - sentAt <= LIMITS.changeHours * 3_600_000;
}
