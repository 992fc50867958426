import type { PersonLimit } from '#contract/accounts/person-limits.ts';
import { type Said, say } from '#contract/reasons.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import type { AccountDeps } from './deps.ts';
import type { OwnLimits } from './operator.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How much a person may do, through any surface. The quotas of applications are separate. */
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

/** One per process, because counts in memory must not be split. */
export function openPersonLimits(platform: AccountDeps, own: OwnLimits): PersonLimits {
  const { config } = platform;
  const open = (
    name: string,
    setting: PersonLimit,
    { windowMs, refusal }: { windowMs: number; refusal: Said },
  ) =>
    new RateLimit(platform, {
      name,
      limit: config[setting],
      findLimit: async (accountId) => (await own.find(accountId))?.[setting],
      windowMs,
      refusal,
    });
  return {
    messages: open('messages', 'messagesPerMinute', {
      windowMs: MINUTE_MS,
      refusal: say('person.sending-fast'),
    }),
    unanswered: open('unanswered', 'unansweredMessagesPerHour', {
      windowMs: HOUR_MS,
      refusal: say('person.many-unanswered'),
    }),
    newPeople: open('new-people', 'newPeoplePerDay', {
      windowMs: DAY_MS,
      refusal: say('person.many-new-people'),
    }),
    newMembers: open('new-members', 'newPeopleAddedPerDay', {
      windowMs: DAY_MS,
      refusal: say('person.adding-many'),
    }),
    groups: open('groups', 'groupsPerDay', { windowMs: DAY_MS, refusal: say('person.many-groups') }),
  };
}
