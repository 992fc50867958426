import type { QueryClient } from '@tanstack/react-query';
import { isQuiet } from '#contract/chat/notification-rules.ts';
import type { NotificationSettings, PushNotification } from '#contract/chat/push.ts';
import type { ChatMessage, Conversation } from '#contract/chat.ts';
import type { ChatEvent } from '#contract/live-events.ts';
import { isMutedAt } from '#contract/rights.ts';
import { serverNow } from '../../ui/clock.ts';
import { isWanted, mayNotify } from '../../ui/notifications/permission.ts';
import { notificationsQuery } from '../../ui/notifications/push.ts';
import { language } from '../../ui/texts.ts';
import { wordsOf } from '../conversations/excerpt.ts';
import { avatarOf, nameOf } from '../conversations/names.ts';
import { findPerson } from '../conversations/people.ts';
import { conversationQuery, conversationsQuery, ownId } from '../conversations/queries.ts';

const NOTES = [
  { frequency: 660, startsAfter: 0 },
  { frequency: 880, startsAfter: 0.09 },
] as const;
const SECONDS = 0.25;
const LOUDNESS = 0.08;

let context: AudioContext | undefined;

/** Plays two short synthesised notes; if several pages are open, only one plays them. */
function playSound(): void {
  void navigator.locks?.request('parley-sound', { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    play();
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
  });
}

/** Browsers block sound until the first click on the page. */
function play(): void {
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume().catch(() => undefined);
  for (const { frequency, startsAfter } of NOTES) {
    const [note, volume] = [context.createOscillator(), context.createGain()];
    const start = context.currentTime + startsAfter;
    note.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + SECONDS);
    note.connect(volume).connect(context.destination);
    note.start(start);
    note.stop(start + SECONDS);
  }
}

/**
 * Announces a message: with a notification while the page is hidden, if the person wants those; otherwise with a sound, unless
 * they are reading that conversation. Only the service worker knows whether another tab is visible, so it decides whether to
 * show the notification, which replaces one already received by push.
 */
export function announce(client: QueryClient, event: ChatEvent): void {
  const withdrawal = withdrawalFor(event);
  if (withdrawal) void withdraw(withdrawal);
  if (event.type !== 'message' || event.data.type === 'notice') return;
  // The person's own messages are not announced, and a failed notification is not reported.
  if (event.data.from !== ownId(client)) void tell(client, event.data).catch(() => undefined);
}

async function tell(client: QueryClient, message: ChatMessage): Promise<void> {
  const conversation = await conversationOf(client, message.conversationId);
  if (!conversation || !shouldNotify(conversation, message, ownId(client))) return;
  const { settings } = await client.fetchQuery({
    ...notificationsQuery,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isQuiet(settings, serverNow())) return;
  const isSilent = !settings.hasSound || !conversation.hasSound;
  if (document.hidden && isWanted() && mayNotify() === 'granted')
    return notify(client, conversation, message, { ...settings, hasSound: !isSilent });
  const isRead = !document.hidden && location.pathname.startsWith(`/c/${message.conversationId}`);
  if (!isSilent && !isRead) playSound();
}

async function notify(
  client: QueryClient,
  conversation: Conversation,
  message: ChatMessage,
  settings: NotificationSettings,
): Promise<void> {
  const { name, pictureUrl } = avatarOf(conversation);
  const { type: kind, conversationId, from, content, caption, poll, location } = message;
  const { peer, group } = conversation;
  const sender = group ? await findPerson(client, conversationId, from).catch(() => undefined) : peer;
  const text = wordsOf(content ?? caption ?? poll?.question ?? location?.name ?? '', sender);
  const notification: PushNotification = {
    conversationId,
    msgId: message.msgId,
    language: language(),
    isSilent: !settings.hasSound,
    ...(settings.detail !== 'nothing' && { title: name, ...(group && sender && { sender: nameOf(sender) }) }),
    ...(settings.detail === 'text' && { kind, ...(text && { text }) }),
  };
  const { active } = await navigator.serviceWorker.ready;
  // Pictures on other servers are not loaded for this: it would reveal to them when a message arrives.
  const icon = pictureUrl?.startsWith('/') ? pictureUrl : undefined;
  active?.postMessage({ type: 'notify', notification, icon });
}

/** The notifications to remove: of one message, or of all messages up to it. */
interface Withdrawal {
  conversationId: string;
  msgId: string;
  isWithOlder: boolean;
}

/** Removes the notification of a message that was deleted, or read on another device. */
function withdrawalFor({ type, data }: ChatEvent): Withdrawal | undefined {
  switch (type) {
    case 'message.changed':
      return data.deletedBy === undefined ? undefined : { ...idsOf(data), isWithOlder: false };
    case 'message.hidden':
      return { ...idsOf(data), isWithOlder: false };
    case 'conversation.read':
      return data.readMsgId === undefined
        ? undefined
        : { conversationId: data.conversationId, msgId: data.readMsgId, isWithOlder: true };
    case 'conversation.hidden':
      return { conversationId: data.conversationId, msgId: data.hiddenMsgId, isWithOlder: true };
    default:
      return undefined;
  }
}

const idsOf = ({ conversationId, msgId }: Pick<ChatMessage, 'conversationId' | 'msgId'>) => ({
  conversationId,
  msgId,
});

async function withdraw(withdrawal: Withdrawal): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  registration?.active?.postMessage({ type: 'withdraw', ...withdrawal });
}

/** Whether the person wants notifications of messages in this conversation. */
function shouldNotify(
  conversation: Conversation,
  { mentionedUserIds }: ChatMessage,
  accountId: string,
): boolean {
  if (conversation.isBlocked || isMutedAt(conversation, serverNow())) return false;
  return conversation.notifyOf === 'all' || mentionedUserIds?.includes(accountId) === true;
}

async function conversationOf(
  client: QueryClient,
  conversationId: string,
): Promise<Conversation | undefined> {
  const known = client
    .getQueryData(conversationsQuery.queryKey)
    ?.conversations.find((one) => one.conversationId === conversationId);
  // A new conversation is not in the list yet.
  return known ?? client.fetchQuery(conversationQuery(conversationId)).catch(() => undefined);
}
