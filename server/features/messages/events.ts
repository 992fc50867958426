import type { Applications } from '#features/applications/index.ts';
import {
  eventMessage,
  type FirstState,
  firstStateFor,
  type OutgoingEvent,
} from '#features/webhooks/index.ts';
import type { Db } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { type Draft, type NewMessage, publicContent } from './content.ts';

/** The initial state of the events of each application, if its events are recorded at this moment. */
export async function findFirstStates(
  applications: Applications,
  db: Db,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<string, FirstState>> {
  const states = new Map<string, FirstState>();
  const unknown = new Set<string>();
  const note = (appId: string, state: FirstState | undefined) => state && states.set(appId, state);
  for (const { botAppId, state, hasWebhookUrl } of drafts.flatMap(({ receivers }) => receivers)) {
    if (state === undefined || hasWebhookUrl === undefined) unknown.add(botAppId);
    else note(botAppId, firstStateFor({ state, hasWebhookUrl }));
  }
  const found = unknown.size === 0 ? [] : await applications.findEventReceivers([...unknown], db);
  for (const receiver of found) note(receiver.appId, firstStateFor(receiver));
  return states;
}

/** The events that a new message causes: one for each receiver that has a first state. */
export function eventsOf(
  { config }: Pick<Platform, 'config'>,
  { kind, bucket, conversationId, msgId, senderId, content, sentAt, receivers }: Draft & NewMessage,
  states: ReadonlyMap<string, FirstState>,
): OutgoingEvent[] {
  const recipients = receivers.filter(({ botAppId }) => states.has(botAppId));
  if (recipients.length === 0) return [];
  const origin = { msgId, from: senderId, sentAt };
  const isPrivate = kind === 'private';
  const mentionedUserIds = content.body.mentionedUserIds ?? [];
  const dataFor = (isMentioned: boolean) =>
    eventMessage(
      publicContent(config, content),
      origin,
      isPrivate ? { chatId: senderId } : { groupId: conversationId, mentionedUserIds, isMentioned },
    );
  // The text is the same for all bots except mentioned ones, and serialised once.
  const toOthers = dataFor(false);
  const toMentioned = mentionedUserIds.length > 0 ? dataFor(true) : toOthers;
  return recipients.map(({ accountId, botAppId: appId }) => ({
    bucket,
    appId,
    type: isPrivate ? 'message.received' : 'group_message.received',
    msgId,
    data: mentionedUserIds.includes(accountId) ? toMentioned : toOthers,
    state: states.get(appId) as FirstState,
    at: sentAt,
  }));
}
