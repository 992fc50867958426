/*
 * Without TypeBox, since pages show them; the schemas stand in `operate/people.ts`.
 */

/** The limits that operators can set for one person, each named like the server's setting for everybody. */
export const PERSON_LIMITS = [
  'messagesPerMinute',
  'unansweredMessagesPerHour',
  'newPeoplePerDay',
  'newPeopleAddedPerDay',
  'groupsPerDay',
  'uploadsPerMinute',
  'uploadMegabytesPerDay',
  'liveStreamsPerPerson',
] as const;

/** One of {@link PERSON_LIMITS}. */
export type PersonLimit = (typeof PERSON_LIMITS)[number];

/** The highest that a limit may be. */
export const HIGHEST_LIMIT = 1_000_000_000;
