import { type Static, Type } from 'typebox';
import { each, visibleText } from './fields.ts';
import { LANGUAGE_CODES } from './languages.ts';
import { LIMITS } from './limits.ts';

/** A text by language, in one or more of them. */
export const LocalText = Type.Object(
  each(Type.Optional(visibleText(LIMITS.noticeLength)), ...LANGUAGE_CODES),
  { minProperties: 1, additionalProperties: false },
);

export type LocalText = Static<typeof LocalText>;

/** A maintenance period, during which nothing can be written. */
export const Maintenance = Type.Object({
  startedAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  until: Type.Integer({
    description: 'When its end is expected, in epoch milliseconds. It may have passed.',
  }),
  text: Type.Optional(LocalText),
});

export type Maintenance = Static<typeof Maintenance>;

/** A banner on all pages. */
export const ShownAnnouncement = Type.Object({
  announcementId: Type.String(),
  text: LocalText,
  endsAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
});

/** `data` of `GET /api/auth/maintenance`: empty outside maintenance. */
export const MaintenanceState = Type.Object({ maintenance: Type.Optional(Maintenance) });

/** `data` of `GET /api/auth/announcements`, the newest first. */
export const ShownAnnouncements = Type.Object({ announcements: Type.Array(ShownAnnouncement) });

/** The notices that all pages show. */
export type Notices = Static<typeof MaintenanceState> & Static<typeof ShownAnnouncements>;
