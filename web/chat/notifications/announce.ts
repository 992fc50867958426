import type { QueryClient } from '@tanstack/react-query';
import type { ChatMessage, Conversation } from '#contract/chat.ts';
import type { ChatEvent } from '#contract/live-events.ts';
import { excerptOf } from '../conversations/excerpt.ts';
import { faceOf } from '../conversations/names.ts';
import { conversationQuery, conversationsQuery, ownId } from '../conversations/queries.ts';
import { isWanted, mayNotify } from './permission.ts';

/**
 * Tells of a message while nobody looks at the page. Whether another tab is being looked at only the service worker
 * knows, so it shows the notification or does not.
 */
export function announce(client: QueryClient, event: ChatEvent): void {
  if (event.type !== 'message' || !document.hidden || !isWanted() || mayNotify() !== 'granted') return;
  if (event.data.from !== ownId(client)) void show(client, event.data);
}

async function show(client: QueryClient, message: ChatMessage): Promise<void> {
  const conversation = await conversationOf(client, message.conversationId);
  if (!conversation || conversation.isMuted || conversation.isBlocked) return;
  const { name, pictureUrl } = faceOf(conversation);
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({
    type: 'notify',
    title: name,
    body: excerptOf(message),
    tag: message.conversationId,
    path: `/c/${message.conversationId}`,
    // Pictures elsewhere are not fetched for this: it would tell their host when somebody gets a message.
    icon: pictureUrl?.startsWith('/') ? pictureUrl : '/icon-192.png',
  });
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
