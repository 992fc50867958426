import { findEventReceivers } from '#features/applications/service.ts';
import { findMemberBots, type GroupKey, type MemberBot } from '#features/groups/service.ts';
import { type EventOrigin, eventMessage } from '#features/webhooks/event-message.ts';
import type { OutgoingEvent } from '#features/webhooks/record-events.ts';
import { type FirstState, firstStateFor } from '#features/webhooks/rules.ts';
import type { Db } from '#platform/database.ts';
import type { MessageContent } from './content.ts';

/** A bot of a group, and how its events begin. */
export interface Hearer extends MemberBot {
  state: FirstState;
}

/** The bots of the groups whose applications' events are recorded at this moment. */
export async function findHearers(db: Db, groups: GroupKey[]): Promise<Hearer[]> {
  const bots = await findMemberBots(db, groups);
  if (bots.length === 0) return [];
  const receivers = await findEventReceivers(db, [...new Set(bots.map(({ botAppId }) => botAppId))]);
  const stateOf = new Map(receivers.map((receiver) => [receiver.appId, firstStateFor(receiver)]));
  return bots.flatMap((bot) => {
    const state = stateOf.get(bot.botAppId);
    return state ? { ...bot, state } : [];
  });
}

/** One event for each bot of the group but the one that wrote (decisions: Webhooks). */
export function groupEvents(
  hearers: readonly Hearer[],
  { bucket, groupId }: GroupKey,
  content: MessageContent,
  origin: EventOrigin,
): OutgoingEvent[] {
  const mentionedUserIds = content.body.mentionedUserIds ?? [];
  return hearers
    .filter((bot) => bot.groupId === groupId && bot.accountId !== origin.from)
    .map(({ accountId, botAppId, state }) => ({
      bucket,
      appId: botAppId,
      type: 'group_message.received',
      msgId: origin.msgId,
      data: eventMessage(content, origin, {
        groupId,
        mentionedUserIds,
        isMentioned: mentionedUserIds.includes(accountId),
      }),
      state,
      at: origin.sentAt,
    }));
}
