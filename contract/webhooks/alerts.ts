import { type Static, Type } from 'typebox';
import { LATEST_TIME } from '../fields.ts';
import { LIMITS } from '../limits.ts';
import { Finding } from './finding.ts';

/** Kinds of contact for alerts about abandoned events (contract §3). */
export const CONTACT_KINDS = ['email', 'chat'] as const;

export type ContactKind = (typeof CONTACT_KINDS)[number];

/** Body of adding an alert contact: an e-mail address, or the https URL of a chat's incoming webhook. */
export const AddAlertContact = Type.Object({
  kind: Type.Enum(CONTACT_KINDS),
  target: Type.String({ minLength: 1, maxLength: LIMITS.urlLength }),
});

export type AddAlertContact = Static<typeof AddAlertContact>;

/** Whether alerts are muted. Muted alerts are listed but not sent. */
export const MuteState = Type.Object({
  isMuted: Type.Boolean(),
  mutedUntil: Type.Optional(Type.Integer({ description: 'Omitted if it is muted forever, or not at all.' })),
});

export type MuteState = Static<typeof MuteState>;

/** An alert contact. Only the host of a chat's URL is shown, since anybody with the whole URL can post to it. */
export const AlertContact = Type.Object({
  contactId: Type.String(),
  kind: Type.Enum(CONTACT_KINDS),
  target: Type.String({ description: 'Empty if it cannot be read.' }),
  isUnreadable: Type.Optional(Type.Literal(true)),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  isConfirmed: Type.Boolean({
    description: 'An e-mail address receives no alerts until somebody follows the link that was sent to it.',
  }),
  ...MuteState.properties,
});

export type AlertContact = Static<typeof AlertContact>;

/** `data` of testing a contact, and of sending the mail that confirms it. */
export const ContactTest = Type.Object({
  isSent: Type.Boolean(),
  ...Finding.properties,
});

export type ContactTest = Static<typeof ContactTest>;

/** `data` of adding a contact: for an e-mail address, also the result of sending its confirmation mail. */
export const AddedAlertContact = Type.Object({
  ...AlertContact.properties,
  confirmation: Type.Optional(ContactTest),
});

/** States of an alert to one contact. `logged`: written to the log, because there is no mail server. */
export const NOTICE_STATES = ['pending', 'sent', 'logged', 'failed'] as const;

export type NoticeState = (typeof NOTICE_STATES)[number];

/** An alert about abandoned events, at most one every 5 minutes. Times are epoch milliseconds. */
export const Alert = Type.Object({
  alertId: Type.String(),
  createdAt: Type.Integer(),
  events: Type.Integer({ description: 'How many events it reports.' }),
  eventCounts: Type.Record(Type.String(), Type.Integer(), { description: 'How many of each type.' }),
  firstEventAt: Type.Integer(),
  lastEventAt: Type.Integer(),
  notices: Type.Array(
    Type.Object({
      contactId: Type.String(),
      state: Type.Enum(NOTICE_STATES),
      fault: Type.Optional(Finding),
    }),
  ),
});

export type Alert = Static<typeof Alert>;

/** Body of muting a contact, or an application's alerts: until a time (epoch milliseconds), or forever (`null`). */
export const Mute = Type.Object({
  until: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    maximum: LATEST_TIME,
  }),
});
