import type { QueryClient } from '@tanstack/react-query';
import type { ChatMessage, Conversation } from '#contract/chat.ts';
import type { ChatEvent } from '#contract/live-events.ts';
import { isQuiet, type PushNotification } from '#contract/push.ts';
import { isMutedAt } from '#contract/rights.ts';
import { language } from '../../ui/texts.ts';
import { wordsOf } from '../conversations/excerpt.ts';
import { faceOf } from '../conversations/names.ts';
import { conversationQuery, conversationsQuery, ownId } from '../conversations/queries.ts';
import { isWanted, mayNotify } from './permission.ts';
import { notificationsQuery } from './push.ts';

/**
 * Tells of a message while nobody looks at the page. Whether another tab is being looked at only the service worker
 * knows, so it shows the notification or does not; one that comes by push as well takes its place.
 */
export function announce(client: QueryClient, event: ChatEvent): void {
  if (
    event.type !== 'message' ||
    event.data.type === 'notice' ||
    !document.hidden ||
    !isWanted() ||
    mayNotify() !== 'granted'
  )
    return;
  if (event.data.from !== ownId(client)) void show(client, event.data);
}

async function show(client: QueryClient, message: ChatMessage): Promise<void> {
  const conversation = await conversationOf(client, message.conversationId);
  if (!conversation || !wantsToHear(conversation, message, ownId(client))) return;
  const { settings } = await client.ensureQueryData(notificationsQuery);
  if (isQuiet(settings, Date.now())) return;
  const { name, pictureUrl } = faceOf(conversation);
  const { type: kind, content, caption, poll, location } = message;
  const { peer, lastSender } = conversation;
  const sender = [peer, lastSender].find((one) => one?.userId === message.from);
  const text = wordsOf(content ?? caption ?? poll?.question ?? location?.name ?? '', sender);
  const notification: PushNotification = {
    conversationId: message.conversationId,
    language: language(),
    isSilent: !settings.hasSound || !conversation.hasSound,
    ...(settings.detail !== 'nothing' && { title: name }),
    ...(settings.detail === 'text' && { kind, ...(text && { text }) }),
  };
  const { active } = await navigator.serviceWorker.ready;
  // Pictures elsewhere are not fetched for this: it would tell their host when somebody gets a message.
  const icon = pictureUrl?.startsWith('/') ? pictureUrl : undefined;
  active?.postMessage({ type: 'notify', notification, icon });
}

/** Whether a message of this conversation is one that the person wants to be told of. */
function wantsToHear(
  conversation: Conversation,
  { mentionedUserIds }: ChatMessage,
  accountId: string,
): boolean {
  if (conversation.isBlocked || isMutedAt(conversation, Date.now())) return false;
  return conversation.notifyOf === 'all' || mentionedUserIds?.includes(accountId) === true;
}

async function conversationOf(
  client: QueryClient,
  conversationId: string,
): Promise<Conversation | undefined> {
  const known = client
    .getQueryData(conversationsQuery.queryKey)
    ?.conversations.find((one) => one.conversationId === conversationId);
  // Whoever writes for the first time is not in the list yet.
  return known ?? client.fetchQuery(conversationQuery(conversationId)).catch(() => undefined);
}
