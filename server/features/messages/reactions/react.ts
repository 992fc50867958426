import { isDeepStrictEqual } from 'node:util';
import type { Reactions } from '#contract/chat.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Platform } from '#platform/platform.ts';
import { inChangedConversation } from '../access/changed-conversation.ts';
import type { OwnMessage } from '../access/own-conversation.ts';
import { lockMessage } from '../queries.ts';
import { refuseMissing } from '../rules.ts';
import { selectReactions, upsertReactions } from './queries.ts';
import { react, refuseEmoji, refuseMany } from './rules.ts';
import { openReactions, sealReactions } from './view.ts';

type Deps = Pick<Platform, 'db' | 'keyring' | 'live'> & {
  accounts: Accounts;
  contacts: Contacts;
  groups: Groups;
};

/**
 * Sets a person's reactions to a message to exactly these emoji; none removes all. Bots are not notified.
 *
 * @throws ApiError 404 conversation or message, 400 no emoji or too many, 403 blocked, 400 broadcast list
 */
export async function reactToMessage(
  deps: Deps,
  { accountId, conversationId, msgId }: OwnMessage,
  emoji: readonly string[],
): Promise<Reactions> {
  const { keyring, live } = deps;
  const wrong = refuseEmoji(emoji);
  if (wrong) throw wrong;
  await deps.accounts.limits.messages.count(accountId);
  const own = { accountId, conversationId };
  const { reactions, topics } = await inChangedConversation(
    deps,
    own,
    { isShared: true },
    async (tx, found) => {
      if (found.reactionRefusal) throw found.reactionRefusal;
      const key = { bucket: found.bucket, conversationId, msgId };
      const missing = refuseMissing(await lockMessage(tx, key));
      if (missing) throw missing;
      const [row] = await selectReactions(tx, [key]);
      const before = row ? openReactions(keyring, row) : { version: 0, given: [] };
      const given = react(before.given, accountId, emoji);
      if (isDeepStrictEqual(given, before.given)) return { reactions: before, topics: [] };
      const refusal = refuseMany(given);
      if (refusal) throw refusal;
      const after = { version: before.version + 1, given };
      await upsertReactions(tx, sealReactions(keyring, key, after));
      return { reactions: after, topics: found.topics };
    },
  );
  for (const topic of topics)
    live.publish(topic, { type: 'message.reactions', data: { conversationId, msgId, reactions } });
  return reactions;
}
