import { LIMITS } from './limits.ts';

/** Who may post in a group or broadcast list, polls included. No TypeBox here, because pages import it. */
export function mayPost(
  group: { isBroadcast: boolean; sendMessages: boolean; creatorId: string },
  member: { accountId: string; isAdmin: boolean },
): boolean {
  return group.isBroadcast ? group.creatorId === member.accountId : group.sendMessages || member.isAdmin;
}

/** Whether a person may write to an account. */
export function mayWriteTo(
  { isDeleted, isService }: { isDeleted: boolean; isService?: true | undefined },
  isBlocked: boolean,
): boolean {
  return !isDeleted && !isService && !isBlocked;
}

/** Maximum length of the editable text of a message of this type; undefined if it has none. */
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

/** Whether a conversation is muted at this moment: muting for a limited time ends by itself. */
export function isMutedAt(
  { isMuted, mutedUntil }: { isMuted: boolean; mutedUntil?: number | undefined },
  now: number,
): boolean {
  return isMuted && (mutedUntil === undefined || now < mutedUntil);
}

/** Whether a conversation is archived: a new message brings it back, unless it is muted. */
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

/** Whether a message is recent enough for its sender to edit it or delete it for everybody. */
export function isChangeable({ sentAt }: { sentAt: number }, now: number): boolean {
  return now - sentAt <= LIMITS.changeHours * 3_600_000;
}

/** Whether deliveries fail too often for an application to count as well: more than a tenth of the attempts. */
export function isFailing(counts: readonly { deliveries: number; failedDeliveries: number }[]): boolean {
  const sum = (of: 'deliveries' | 'failedDeliveries') => counts.reduce((total, one) => total + one[of], 0);
  return sum('failedDeliveries') * 10 > sum('deliveries');
}
