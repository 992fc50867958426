import type { EventMessage } from '#contract/webhooks/events.ts';
import type { SimulatedEvent, SimulateEvent } from '#contract/webhooks.ts';
import type { Owned } from '#features/applications/index.ts';
import { failedPrecondition, invalidArgument } from '#platform/errors.ts';
import { bucketOf, privateConversationId } from '#platform/ids.ts';
import type { WebhookDeps } from '../deps.ts';
import { findOwnReceiver } from '../own-target.ts';
import { announceEvents, type OutgoingEvent, recordEvents } from '../record-events.ts';
import { type EventConversation, eventMessage, firstStateFor } from '../rules.ts';
import { SANDBOX, sandboxContent } from './sandbox-content.ts';

/**
 * Records an event as if somebody had written to the bot; from there it is handled like any other. Its message, sender and
 * group do not exist: answers are accepted and go nowhere (docs/decisions/0093).
 *
 * @throws ApiError 404; 400 for a field that does not belong to the event or its type, without a bot, or while the
 * application's events are not recorded
 */
export async function simulateEvent(
  deps: WebhookDeps,
  own: Owned,
  asked: SimulateEvent,
): Promise<SimulatedEvent> {
  refuseForeignFields(asked);
  const receiver = await findOwnReceiver(deps, own);
  const state = firstStateFor(receiver);
  if (!state) throw failedPrecondition('event.not-recorded', { state: receiver.state });
  const botId = await deps.bots.findAccountId(own.appId);
  if (!botId) throw failedPrecondition('application.bot-needed');
  const event = buildEvent(deps, { appId: own.appId, botId, state }, asked);
  const eventId = await deps.db.begin(async (tx) => {
    const [recorded = ''] = await recordEvents(tx, deps, [event]);
    await deps.applications.recordAudit(tx, own, 'event.simulated', { eventId: recorded });
    return recorded;
  });
  announceEvents(deps, [event]);
  return { eventId, msgId: event.msgId };
}

function refuseForeignFields({ event, type, isMentioned, text }: SimulateEvent): void {
  if (isMentioned != null && event !== 'group_message.received') {
    throw invalidArgument('isMentioned', 'for-group-events');
  }
  if (text != null && type !== 'text') throw invalidArgument('text', 'for-type-text');
}

interface Scene extends Pick<OutgoingEvent, 'state' | 'appId'> {
  botId: string;
}

function buildEvent(
  { clock, newId }: WebhookDeps,
  { appId, botId, state }: Scene,
  { event: type, isMentioned: asked, ...content }: SimulateEvent,
): OutgoingEvent {
  const at = clock.now();
  const isMentioned = asked ?? false;
  const msgId = newId('msg');
  const { userId, groupId } = SANDBOX;
  const isGroup = type === 'group_message.received';
  const conversation: EventConversation = isGroup
    ? { groupId, mentionedUserIds: isMentioned ? [botId] : [], isMentioned }
    : { chatId: userId };
  const message = eventMessage(
    sandboxContent(content, newId),
    { msgId, from: userId, sentAt: at },
    conversation,
  );
  const data: EventMessage = { ...message, sandbox: true };
  const bucket = bucketOf(isGroup ? groupId : privateConversationId(userId, botId));
  return { bucket, appId, type, msgId, data, state, at };
}
