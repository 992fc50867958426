import { integer } from './readers.ts';
import { setting } from './setting.ts';

/** A limit of at least 1. */
const limit = (fallback: number, about: string) =>
  setting({ read: integer(1, 1_000_000_000), fallback, about });

/** Limits that an operator may choose. */
export const LIMIT_SETTINGS = {
  SIGN_UPS_PER_HOUR: limit(
    30,
    'How many accounts one network (IPv4 /24, IPv6 /48) may create per hour. Sign-ups that fail are counted separately, and refused once there are as many.',
  ),
  MAX_GROUP_MEMBERS: setting({
    read: integer(1, 100_000),
    fallback: 1024,
    about: 'How many members a group or broadcast list may have.',
  }),
  STORY_LIFETIME_HOURS: setting({
    read: integer(0, 8760),
    fallback: 24,
    about: 'How long a story is shown, from its first element; 0 for no limit.',
  }),
  MESSAGES_PER_MINUTE: limit(
    300,
    'How many messages one person may write per minute, polls and stories included.',
  ),
  UNANSWERED_MESSAGES_PER_HOUR: limit(
    60,
    'How many of them may go to people who have never written back, per hour.',
  ),
  NEW_PEOPLE_PER_DAY: limit(
    50,
    'How many people who never wrote to them one person may write to for the first time per day.',
  ),
  NEW_PEOPLE_ADDED_PER_DAY: limit(
    300,
    'How many people who never wrote to them one person may add to groups per day.',
  ),
  GROUPS_PER_DAY: limit(50, 'How many groups and broadcast lists one person may create per day.'),
  LIVE_STREAMS_PER_PERSON: limit(
    30,
    'How many live connections to the chat one person may hold open at each process.',
  ),
  UPLOADS_PER_MINUTE: limit(60, 'How many files one person may begin to upload per minute.'),
  UPLOAD_MB_PER_DAY: setting({
    read: integer(1, 1_000_000),
    fallback: 500,
    about: 'How many megabytes of files one person or bot may upload in a day.',
  }),
};
