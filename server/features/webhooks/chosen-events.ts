import type { ChosenEventData } from '#contract/webhooks/chosen-events.ts';
import type { ChosenEventType } from '#contract/webhooks/event-types.ts';
import type { ContactHook } from '#features/contacts/index.ts';
import type { GroupHook } from '#features/groups/index.ts';
import type { Tx } from '#platform/database.ts';
import type { WebhookDeps } from './deps.ts';
import { announceEvents, type OutgoingEvent, recordEvents } from './record-events.ts';
import { firstStateFor } from './rules.ts';

const QUIET = 'quiet_in_groups';

/** Something that applications may have chosen to hear of. */
export type ChosenEvent = {
  [T in ChosenEventType]: {
    /** That of the conversation. */
    bucket: number;
    /** Whom it concerns, without the bot that did it. */
    appIds: readonly string[];
    /** Those that hear of it although they are quiet in groups; if absent, all do. */
    findConcerned?: () => Promise<readonly string[]>;
    type: T;
    data: Omit<ChosenEventData<T>, 'eventId' | 'at'>;
    at: number;
  };
}[ChosenEventType];

/**
 * Records events for those applications that chose them, in the transaction of what they tell of.
 *
 * @returns sends them, after the commit
 */
export async function recordChosen(
  tx: Tx,
  deps: WebhookDeps,
  events: readonly ChosenEvent[],
): Promise<() => void> {
  const findReceiver = await findChoices(tx, deps, events);
  const outgoing: OutgoingEvent[] = [];
  for (const { appIds, findConcerned, data, ...event } of events) {
    const receivers = appIds.flatMap((appId) => findReceiver(appId, event.type) ?? []);
    const isAnyQuiet = receivers.some(({ isQuiet }) => isQuiet);
    const concerned = isAnyQuiet && findConcerned ? await findConcerned() : appIds;
    for (const { appId, state, isQuiet } of receivers) {
      if (isQuiet && !concerned.includes(appId)) continue;
      const eventId = deps.newId('dlv');
      const told = { eventId, at: event.at, ...data };
      outgoing.push({ ...event, appId, eventId, msgId: eventId, data: told, state });
    }
  }
  if (outgoing.length === 0) return () => {};
  await recordEvents(tx, deps, outgoing);
  return () => announceEvents(deps, outgoing);
}

/** An application that chose a type, the first state of an event for it, and whether it is quiet in groups. */
async function findChoices(tx: Tx, { applications }: WebhookDeps, events: readonly ChosenEvent[]) {
  const appIds = [...new Set(events.flatMap((event) => event.appIds))];
  const types = [...new Set(events.map(({ type }) => type))];
  const choices = appIds.length === 0 ? [] : await applications.findChoices(tx, appIds, [...types, QUIET]);
  const chosen = new Set(choices.map(({ appId, extension }) => `${appId} ${extension}`));
  const choosing = [
    ...new Set(choices.flatMap(({ appId, extension }) => (extension === QUIET ? [] : appId))),
  ];
  const receivers = choosing.length === 0 ? [] : await applications.findEventReceivers(choosing, tx);
  const states = new Map(receivers.map((receiver) => [receiver.appId, firstStateFor(receiver)]));
  return (appId: string, type: ChosenEventType) => {
    const state = chosen.has(`${appId} ${type}`) && states.get(appId);
    return state ? { appId, state, isQuiet: chosen.has(`${appId} ${QUIET}`) } : undefined;
  };
}

/** Tells bots of members that come and go, and of their own membership. Readers of a broadcast list do not learn of others. */
export function createMembershipHook(deps: WebhookDeps): GroupHook {
  return {
    async moved(tx, group, { joined = [], left = [], isDeleted = false, from: by, at }) {
      const { bucket, groupId, name, isBroadcast } = group;
      const moved = await deps.accounts.findAll([...joined, ...left], tx);
      const appsOf = (accountIds: readonly string[]) =>
        moved.flatMap(({ accountId, appId }) =>
          appId !== null && accountId !== by && accountIds.includes(accountId) ? appId : [],
        );
      const present = isBroadcast || isDeleted ? [] : await deps.groups.findBots([group], tx);
      const others = present.flatMap(({ accountId, botAppId }) =>
        accountId === by || joined.includes(accountId) ? [] : botAppId,
      );
      const common = { bucket, at };
      const toOthers = (moved: readonly string[]) => ({
        appIds: moved.length > 0 ? others : [],
        data: { groupId, userIds: [...moved], by },
      });
      return recordChosen(tx, deps, [
        { ...common, type: 'group.joined', appIds: appsOf(joined), data: { groupId, name, by } },
        { ...common, type: 'group.left', appIds: appsOf(left), data: { groupId, by } },
        { ...common, type: 'member.joined', ...toOthers(joined) },
        { ...common, type: 'member.left', ...toOthers(left) },
      ]);
    },
  };
}

/** Tells bots of people who block them, and who no longer do. */
export function createBlockHook(deps: WebhookDeps): ContactHook {
  return {
    async blocked(tx, { bucket, accountId, peer, isBlocked, at }) {
      const appIds = peer.appId === null ? [] : [peer.appId];
      return recordChosen(tx, deps, [
        { bucket, appIds, type: 'bot.blocked', data: { userId: accountId, isBlocked }, at },
      ]);
    },
  };
}
