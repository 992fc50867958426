import { type Static, Type } from 'typebox';
import { LATEST_TIME } from '../fields.ts';
import { LocalText } from '../notices.ts';

/** An announcement by the operators. */
export const Announcement = Type.Object({
  announcementId: Type.String(),
  text: LocalText,
  isLine: Type.Boolean({ description: 'Whether it is a banner on all pages.' }),
  isMessage: Type.Boolean({ description: 'Whether the account of the service sends it to everybody.' }),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  endsAt: Type.Optional(
    Type.Integer({ description: 'When the banner disappears by itself; if omitted, an operator ends it.' }),
  ),
  endedAt: Type.Optional(Type.Integer({ description: 'When an operator ended it.' })),
  people: Type.Integer({ description: 'How many people the message is for.' }),
  told: Type.Integer({ description: 'How many of them it has been sent to so far.' }),
  toldAt: Type.Optional(Type.Integer({ description: 'When it had been sent to all of them.' })),
});

export type Announcement = Static<typeof Announcement>;

/** `data` of the announcements: the newest 100 first. */
export const Announcements = Type.Object({ announcements: Type.Array(Announcement) });

/** Body of a new announcement: a banner on all pages, a message to everybody, or both. */
export const MakeAnnouncement = Type.Object({
  text: LocalText,
  isLine: Type.Boolean(),
  isMessage: Type.Boolean(),
  endsAt: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LATEST_TIME,
      description: 'When the banner ends, in the future; if omitted, an operator ends it.',
    }),
  ),
});

/** Body of starting maintenance, or of changing its end. */
export const StartMaintenance = Type.Object({
  until: Type.Integer({
    minimum: 0,
    description: 'When its end is expected, in epoch milliseconds: in the future, at most 7 days away.',
  }),
  text: Type.Optional(LocalText),
});

export type StartMaintenance = Static<typeof StartMaintenance>;
