import { findEventReceivers } from '#features/applications/service.ts';
import type { GroupKey, Groups, MemberBot } from '#features/groups/index.ts';
import {
  type EventOrigin,
  eventMessage,
  type FirstState,
  firstStateFor,
  type OutgoingGroupEvent,
} from '#features/webhooks/index.ts';
import type { Db } from '#platform/database.ts';
import type { MessageContent } from './content.ts';

/** The bots of the given groups, by group. */
export async function findBotsIn(groups: Groups, keys: GroupKey[]): Promise<Map<string, MemberBot[]>> {
  const distinct = new Map(keys.map((group) => [group.groupId, group]));
  const bots = await groups.findBots([...distinct.values()]);
  return Map.groupBy(bots, ({ groupId }) => groupId);
}

/** Who hears what somebody writes in the group: its bots but the one that wrote (decisions: Webhooks). */
export function hearersOf(
  bots: Map<string, MemberBot[]>,
  { groupId, senderId }: { groupId: string; senderId: string },
): MemberBot[] {
  return bots.get(groupId)?.filter(({ accountId }) => accountId !== senderId) ?? [];
}

/** How the events of those applications begin whose events are recorded at this moment. */
export async function findFirstStates(db: Db, hearers: MemberBot[]): Promise<Map<string, FirstState>> {
  if (hearers.length === 0) return new Map();
  const receivers = await findEventReceivers(db, [...new Set(hearers.map(({ botAppId }) => botAppId))]);
  return new Map(
    receivers.flatMap((receiver) => {
      const state = firstStateFor(receiver);
      return state ? [[receiver.appId, state] as const] : [];
    }),
  );
}

/** One event for each that hears and has a state in which its events begin. */
export function groupEvents(
  hearers: readonly MemberBot[],
  states: ReadonlyMap<string, FirstState>,
  { bucket, groupId }: GroupKey,
  content: MessageContent,
  origin: EventOrigin,
): OutgoingGroupEvent[] {
  const { msgId, sentAt } = origin;
  const mentionedUserIds = content.body.mentionedUserIds ?? [];
  // Bots are told the same, which is put into words once, but for those that are mentioned.
  const tell = (isMentioned: boolean) =>
    eventMessage(content, origin, { groupId, mentionedUserIds, isMentioned });
  const toOthers = tell(false);
  const toMentioned = mentionedUserIds.length > 0 ? tell(true) : toOthers;
  return hearers.flatMap(({ accountId, botAppId: appId }) => {
    const state = states.get(appId);
    if (!state) return [];
    const data = mentionedUserIds.includes(accountId) ? toMentioned : toOthers;
    return [{ bucket, groupId, appId, type: 'group_message.received', msgId, data, state, at: sentAt }];
  });
}
