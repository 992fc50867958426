import type { NotificationSettings, PushDevice, PushNotification } from '#contract/chat/push.ts';

/** The parts of a message that a notification may show. */
export interface Notification {
  conversationId: string;
  msgId: string;
  /** The author, or the group. */
  title: string;
  /** The author of a group message. */
  sender?: string;
  kind: string;
  text: string;
  /** High urgency: shown at once even if a phone saves its battery. */
  isUrgent: boolean;
}

export const DEFAULT_SETTINGS: NotificationSettings = { detail: 'name', hasSound: true, quietHours: null };

const TITLE_LENGTH = 100;
/** An encrypted push message holds at most 4 KiB. */
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
