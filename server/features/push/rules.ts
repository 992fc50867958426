import type { NotificationSettings, PushDevice, PushNotification } from '#contract/chat/push.ts';

/** A message, as a notification may tell of it. */
export interface Notification {
  conversationId: string;
  msgId: string;
  /** Who wrote, or in which group. */
  title: string;
  /** Who wrote into a group. */
  sender?: string;
  kind: string;
  text: string;
  /** High urgency: shown at once even if a phone saves its battery. */
  isUrgent: boolean;
}

export const DEFAULT_SETTINGS: NotificationSettings = { detail: 'name', hasSound: true, quietHours: null };

const TITLE_LENGTH = 100;
/** A push message holds 4 KiB once it is encrypted. */
const TEXT_LENGTH = 400;

/** The notification of a message, as detailed as the person wants it on the device. */
export function contentFor(
  notification: Notification,
  { detail, hasSound }: NotificationSettings,
  language: PushDevice['language'],
): PushNotification {
  const { conversationId, msgId, title, sender, kind, text } = notification;
  return {
    conversationId,
    msgId,
    language,
    isSilent: !hasSound,
    ...(detail !== 'nothing' && {
      title: cut(title, TITLE_LENGTH),
      ...(sender && { sender: cut(sender, TITLE_LENGTH) }),
    }),
    ...(detail === 'text' && { kind, ...(text && { text: cut(text, TEXT_LENGTH) }) }),
  };
}

function cut(text: string, length: number): string {
  const points = Array.from(text);
  return points.length <= length ? text : `${points.slice(0, length - 1).join('')}…`;
}
