import type { PersonLimit } from '#contract/accounts/person-limits.ts';
import { type PlainReason, say } from '#contract/reasons.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import type { AccountDeps } from './deps.ts';
import type { OwnLimits } from './operator.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * How much a person may do, through any surface; the quotas of applications are separate. One per process, because counts in
 * memory must not be split.
 */
export function openPersonLimits(platform: AccountDeps, own: OwnLimits) {
  const open = (name: string, setting: PersonLimit, windowMs: number, reason: PlainReason) =>
    new RateLimit(platform, {
      name,
      limit: platform.config[setting],
      findLimit: async (accountId) => (await own.find(accountId))?.[setting],
      windowMs,
      refusal: say(reason),
    });
  return {
    messages: open('messages', 'messagesPerMinute', MINUTE_MS, 'person.sending-fast'),
    /** Messages to people who have never written back. */
    unanswered: open('unanswered', 'unansweredMessagesPerHour', HOUR_MS, 'person.many-unanswered'),
    /** People written to for the first time, who never wrote. */
    newPeople: open('new-people', 'newPeoplePerDay', DAY_MS, 'person.many-new-people'),
    /** People added to groups, who never wrote. */
    newMembers: open('new-members', 'newPeopleAddedPerDay', DAY_MS, 'person.adding-many'),
    groups: open('groups', 'groupsPerDay', DAY_MS, 'person.many-groups'),
  };
}
