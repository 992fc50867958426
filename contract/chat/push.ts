import { type Static, Type } from 'typebox';
import { NOTIFICATION_DETAILS } from '../choices.ts';
import { LANGUAGE_CODES } from '../languages.ts';

const TimeOfDay = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' });

/** No notifications are shown between these times of day; the end may be on the next day. */
export const QuietHours = Type.Object({
  from: TimeOfDay,
  until: TimeOfDay,
  timeZone: Type.String({
    maxLength: 64,
    description: 'A name from the IANA database, such as Europe/Berlin.',
  }),
});

/** How a person is notified, on all devices. */
export const NotificationSettings = Type.Object({
  detail: Type.Enum(NOTIFICATION_DETAILS),
  hasSound: Type.Boolean(),
  quietHours: Type.Union([QuietHours, Type.Null()]),
});

export type NotificationSettings = Static<typeof NotificationSettings>;

export const Notifications = Type.Object({
  settings: NotificationSettings,
  publicKey: Type.String({ description: 'The key for the browser’s `applicationServerKey` (RFC 8292).' }),
});

export type Notifications = Static<typeof Notifications>;

/** Body of `PATCH /api/chat/notifications`: at least one field. */
export const ChangeNotificationSettings = Type.Partial(NotificationSettings);

export type ChangeNotificationSettings = Static<typeof ChangeNotificationSettings>;

const Base64Url = (bytes: number) =>
  Type.String({ pattern: `^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$` });

/** Body of `PUT /api/chat/notifications/device`: a `PushSubscription` of the browser, and its user's language. */
export const PushDevice = Type.Object({
  endpoint: Type.String({ maxLength: 2048 }),
  keys: Type.Object({ p256dh: Base64Url(65), auth: Base64Url(16) }),
  language: Type.Enum(LANGUAGE_CODES),
});

export type PushDevice = Static<typeof PushDevice>;

/** The content of a push message, as decrypted by the chat's service worker, without the fields that the person does not want. */
export interface PushNotification {
  conversationId: string;
  /** If this message is deleted, or read elsewhere, an open page removes the notification. */
  msgId: string;
  language: PushDevice['language'];
  isSilent: boolean;
  title?: string;
  /** The sender of a group message. */
  sender?: string;
  /** A message type, which the page translates. */
  kind?: string;
  text?: string;
}
