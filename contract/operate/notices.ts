import { type Static, Type } from 'typebox';
import { id } from '../ids.ts';
import { LocalText } from '../notices.ts';

/** An announcement by the operators. */
export const Announcement = Type.Object({
  announcementId: Type.String(),
  text: LocalText,
  isLine: Type.Boolean({ description: 'Shown on all pages.' }),
  isMessage: Type.Boolean({ description: 'Sent to everybody by the built-in bot.' }),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  endsAt: Type.Optional(
    Type.Integer({ description: 'When the line goes by itself; without, when an operator ends it.' }),
  ),
  endedAt: Type.Optional(Type.Integer({ description: 'When an operator ended it.' })),
  people: Type.Integer({ description: 'To how many people the message goes.' }),
  told: Type.Integer({ description: 'To how many of them it went so far.' }),
  toldAt: Type.Optional(Type.Integer({ description: 'When the last of them had it.' })),
});

/** See {@link Announcement}. */
export type Announcement = Static<typeof Announcement>;

/** `data` of the announcements: the newest 100 first. */
export const Announcements = Type.Object({ announcements: Type.Array(Announcement) });

/** Body of a new announcement: a banner on all pages, a message to everybody, or both. */
export const MakeAnnouncement = Type.Object({
  text: LocalText,
  isLine: Type.Boolean(),
  isMessage: Type.Boolean(),
  endsAt: Type.Optional(
    Type.Integer({ minimum: 0, description: 'End of the line, in the future; without, until it is ended.' }),
  ),
});

/** See {@link MakeAnnouncement}. */
export type MakeAnnouncement = Static<typeof MakeAnnouncement>;

/** Parameter of an announcement's route. */
export const AnnouncementParams = Type.Object({ announcementId: id() });

/** Body of starting maintenance, or of changing its end. */
export const StartMaintenance = Type.Object({
  until: Type.Integer({
    minimum: 0,
    description: 'When its end is expected, in epoch milliseconds, in the future: 7 days away at most.',
  }),
  text: Type.Optional(LocalText),
});

/** See {@link StartMaintenance}. */
export type StartMaintenance = Static<typeof StartMaintenance>;
