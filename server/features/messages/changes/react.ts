import { isDeepStrictEqual } from 'node:util';
import { LIMITS } from '#contract/limits.ts';
import type { Reactions } from '#contract/reactions.ts';
import { type ApiError, failedPrecondition, invalidArgument } from '#platform/errors.ts';
import type { BotMessage } from '../access/bot-conversation.ts';
import { inChangedConversation } from '../access/changed-conversation.ts';
import type { OwnMessage } from '../access/own-conversation.ts';
import type { MessageDeps } from '../deps.ts';
import { lockMessage, type MessageRow } from '../queries.ts';
import { receiversOf } from '../quiet-bots.ts';
import { openReactions, sealReactions, selectReactions, upsertReactions } from '../reactions.ts';
import { refuseMissing } from '../rules.ts';

const EMOJI = /^\p{RGI_Emoji}$/v;

/**
 * The reactions in a request: each is one emoji, and none is repeated.
 *
 * @throws ApiError 400 for others
 */
export function readEmoji(emoji: readonly string[]): readonly string[] {
  const wrong = emoji.findIndex((one, i) => !EMOJI.test(one) || emoji.indexOf(one) < i);
  if (wrong >= 0) throw invalidArgument(`emoji.${wrong}`, 'not-an-emoji');
  return emoji;
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

function refuseMany(given: Reactions['given']): ApiError | undefined {
  const count = LIMITS.reactionsPerMessage;
  return given.length > count ? failedPrecondition('message.too-many-reactions', { count }) : undefined;
}

/**
 * Sets the reactions of a person or a bot to a message to exactly these emoji; none removes all. Applications that chose it get
 * an event.
 *
 * @throws ApiError 404 conversation or message, 400 too many, 403 blocked, 400 broadcast list
 */
export async function reactToMessage(
  deps: MessageDeps,
  { msgId, ...own }: OwnMessage | BotMessage,
  emoji: readonly string[],
): Promise<Reactions> {
  const { clock, keyring, live, webhooks } = deps;
  const { accountId, conversationId } = own;
  if (!('isBot' in own)) await deps.accounts.limits.messages.count(accountId);
  const changed = await inChangedConversation(deps, own, 'shared', async (tx, found) => {
    if (found.reactionRefusal) throw found.reactionRefusal;
    const key = { bucket: found.bucket, conversationId, msgId };
    const message = await lockMessage(tx, key);
    const missing = refuseMissing(message);
    if (missing) throw missing;
    const [row] = await selectReactions(tx, [key]);
    const before = row ? openReactions(keyring, row) : { version: 0, given: [] };
    const given = react(before.given, accountId, emoji);
    if (isDeepStrictEqual(given, before.given)) return { reactions: before, topics: [], announce: () => {} };
    const refusal = refuseMany(given);
    if (refusal) throw refusal;
    const after = { version: before.version + 1, given };
    await upsertReactions(tx, sealReactions(keyring, key, after));
    const { bucket, bots, shownAs, topics } = found;
    const receivers = receiversOf(tx, keyring, message as MessageRow, bots);
    const data = { msgId, ...shownAs, by: accountId, emoji: [...emoji] };
    const announce = await webhooks.recordChosen(tx, [
      { bucket, ...receivers, type: 'reaction.changed', data, at: clock.now() },
    ]);
    return { reactions: after, topics, announce };
  });
  const { reactions, topics } = changed;
  changed.announce();
  for (const topic of topics)
    live.publish(topic, { type: 'message.reactions', data: { conversationId, msgId, reactions } });
  return reactions;
}
