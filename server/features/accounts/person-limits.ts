import { say } from '#contract/reasons.ts';
import type { Platform } from '#platform/platform.ts';
import { RateLimit } from '#platform/rate-limit.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How much a person may do, whichever surface it is done through. The quotas of applications count apart. */
export interface PersonLimits {
  messages: RateLimit;
  /** Messages to people who have never written back. */
  unanswered: RateLimit;
  /** People written to for the first time, who never wrote. */
  newPeople: RateLimit;
  /** People added to groups, who never wrote. */
  newMembers: RateLimit;
  groups: RateLimit;
}

/** One for each process: what is counted in memory must be counted once. */
export function openPersonLimits(platform: Pick<Platform, 'clock' | 'redis' | 'config'>): PersonLimits {
  const { config } = platform;
  return {
    messages: new RateLimit(platform, {
      name: 'messages',
      limit: config.messagesPerMinute,
      windowMs: MINUTE_MS,
      refusal: say('person.sending-fast'),
    }),
    unanswered: new RateLimit(platform, {
      name: 'unanswered',
      limit: config.unansweredMessagesPerHour,
      windowMs: HOUR_MS,
      refusal: say('person.many-unanswered'),
    }),
    newPeople: new RateLimit(platform, {
      name: 'new-people',
      limit: config.newPeoplePerDay,
      windowMs: DAY_MS,
      refusal: say('person.many-new-people'),
    }),
    newMembers: new RateLimit(platform, {
      name: 'new-members',
      limit: config.newPeopleAddedPerDay,
      windowMs: DAY_MS,
      refusal: say('person.adding-many'),
    }),
    groups: new RateLimit(platform, {
      name: 'groups',
      limit: config.groupsPerDay,
      windowMs: DAY_MS,
      refusal: say('person.many-groups'),
    }),
  };
}
