/*
 * Closed lists that people choose from. No TypeBox here, because pages import them; the schemas are with their subject.
 */

/** The 8 types that a bot or a person may send (contract §2). */
export const CONTENT_TYPES = [
  'text',
  'image',
  'video',
  'audio',
  'doc',
  'gif',
  'sticker',
  'location',
] as const;

/** One of the 8 types of message content (contract §2). */
export type ContentType = (typeof CONTENT_TYPES)[number];

/** The types that a bot may receive (contract §3). */
export const RECEIVED_TYPES = [...CONTENT_TYPES, 'poll'] as const;

/** The kinds of message that a search can be restricted to: a type, `media` (pictures and videos), or `link` (texts with one). */
export const SEARCHED_KINDS = [...RECEIVED_TYPES, 'media', 'link'] as const;

/** Kinds of file that a person may upload; each has its own limit. */
export const MEDIA_KINDS = ['image', 'video', 'audio', 'document'] as const;

export type MediaKind = (typeof MEDIA_KINDS)[number];

const MB = 1024 * 1024;

/** The largest upload of each kind, in bytes. */
export const MEDIA_BYTES: Record<MediaKind, number> = {
  image: 10 * MB,
  video: 50 * MB,
  audio: 20 * MB,
  document: 20 * MB,
};

/** How much a notification shows: only that there is a message, also its sender or group, or also its text. */
export const NOTIFICATION_DETAILS = ['nothing', 'name', 'text'] as const;

export type NotificationDetail = (typeof NOTIFICATION_DETAILS)[number];

/** Who may add a person to groups; `contacts` are the people and bots that the person wrote to. */
export const WHO_MAY_ADD = ['everybody', 'contacts', 'nobody'] as const;

export type WhoMayAdd = (typeof WHO_MAY_ADD)[number];

/**
 * Whose media on other servers a person's pages load automatically; `contacts` are the people and bots that the
 * person wrote to.
 */
export const REMOTE_MEDIA = ['always', 'contacts', 'on-click'] as const;

/** Roles in a team: a viewer reads everything but secrets, a developer changes it too. The owner invites and deletes. */
export const TEAM_ROLES = ['developer', 'viewer'] as const;

export type TeamRole = (typeof TEAM_ROLES)[number];

/** A role in an application's team, including the owner's. */
export const ROLES = ['owner', ...TEAM_ROLES] as const;

export type Role = (typeof ROLES)[number];

/** Every state of a delivery (contract §3). `unsent`: there was no webhook URL at the time. */
export const DELIVERY_STATES = [
  'unsent',
  'pending',
  'retrying',
  'delivered',
  'abandoned',
  'cancelled',
] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The states that the event log shows: `fetched` is an unsent event that the bot fetched. */
export const LOGGED_STATES = [...DELIVERY_STATES, 'fetched'] as const;

export type LoggedState = (typeof LOGGED_STATES)[number];

/** Why something is reported. */
export const REPORT_REASONS = ['spam', 'abuse', 'violence', 'children', 'fraud', 'other'] as const;

export type ReportReason = (typeof REPORT_REASONS)[number];

/** The kinds of thing that can be reported. */
export const REPORT_TARGETS = ['person', 'bot', 'group'] as const;

export type ReportTarget = (typeof REPORT_TARGETS)[number];
