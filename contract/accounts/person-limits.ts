/*
 * No TypeBox here, because pages import them; the schemas are in `operate/people.ts`.
 */

/** The limits that operators can set for one person, each named after the server-wide setting. */
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

export type PersonLimit = (typeof PERSON_LIMITS)[number];

/** The highest allowed limit. */
export const HIGHEST_LIMIT = 1_000_000_000;
