import type { Reactions } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { type ApiError, failedPrecondition, invalidArgument } from '#platform/errors.ts';

const EMOJI = /^\p{RGI_Emoji}$/v;

/** Each is one emoji; none is repeated. */
export function refuseEmoji(emoji: readonly string[]): ApiError | undefined {
  const wrong = emoji.findIndex((one, i) => !EMOJI.test(one) || emoji.indexOf(one) < i);
  return wrong < 0 ? undefined : invalidArgument(`emoji.${wrong}`, 'not-an-emoji');
}

/**
 * The reactions to a message after somebody's are set to exactly these: new emoji come last, and the others'
 * stay.
 */
export function react(
  given: Reactions['given'],
  accountId: string,
  emoji: readonly string[],
): Reactions['given'] {
  const kept = given.map((one) => ({
    emoji: one.emoji,
    userIds: emoji.includes(one.emoji)
      ? [...new Set([...one.userIds, accountId])]
      : one.userIds.filter((userId) => userId !== accountId),
  }));
  const added = emoji.filter((one) => given.every((other) => other.emoji !== one));
  return [
    ...kept.filter(({ userIds }) => userIds.length > 0),
    ...added.map((one) => ({ emoji: one, userIds: [accountId] })),
  ];
}

export function refuseMany(given: Reactions['given']): ApiError | undefined {
  const count = LIMITS.reactionsPerMessage;
  return given.length > count ? failedPrecondition('message.too-many-reactions', { count }) : undefined;
}
