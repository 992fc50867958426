import type { PinnedMessages } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { type Accounts, viewPeer } from '#features/accounts/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import { failedPrecondition } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { findChangedConversation } from '../access/changed-conversation.ts';
import { selectHidden } from '../access/hidden-queries.ts';
import type { OwnMessage } from '../access/own-conversation.ts';
import { findOwnConversation, type OwnConversation } from '../access/own-conversation.ts';
import { lockMessage } from '../queries.ts';
import { refuseMissing } from '../rules.ts';
import { type MessageCompletion, viewMessage } from '../view.ts';
import { countPins, deletePin, insertPin, selectPinned } from './queries.ts';

type Deps = Pick<Platform, 'db' | 'keyring' | 'clock' | 'live'> & {
  accounts: Accounts;
  contacts: Contacts;
  groups: Groups;
};

/**
 * Pins a message for everybody in the conversation: in a group, for those who may change its details; in a
 * private conversation, for both sides.
 *
 * @throws ApiError 404 conversation or message, 403 not allowed, 400 too many
 */
export async function pinMessage(deps: Deps, { msgId, ...own }: OwnMessage): Promise<void> {
  const { db, clock, live } = deps;
  const { conversationId, accountId } = own;
  const { bucket, topics, pinRefusal } = await findChangedConversation(deps, own);
  if (pinRefusal) throw pinRefusal;
  const key = { bucket, conversationId, msgId };
  await db.begin(async (tx) => {
    const refused = refuseMissing(await lockMessage(tx, key));
    if (refused) throw refused;
    if ((await countPins(tx, key)) >= LIMITS.pinnedMessages)
      throw failedPrecondition('message.too-many-pinned', { count: LIMITS.pinnedMessages });
    await insertPin(tx, { ...key, by: accountId, at: clock.now() });
  });
  for (const topic of topics) live.publish(topic, { type: 'conversation.pins', data: { conversationId } });
}

/** @throws ApiError 404 conversation, 403 not allowed */
export async function unpinMessage(deps: Deps, { msgId, ...own }: OwnMessage): Promise<void> {
  const { db, live } = deps;
  const { conversationId } = own;
  const { bucket, topics, pinRefusal } = await findChangedConversation(deps, own);
  if (pinRefusal) throw pinRefusal;
  await db.write((tx) => deletePin(tx, { bucket, conversationId, msgId }));
  for (const topic of topics) live.publish(topic, { type: 'conversation.pins', data: { conversationId } });
}

/** @throws ApiError 404 */
export async function listPinned(
  deps: Deps,
  own: OwnConversation,
  complete: MessageCompletion,
): Promise<PinnedMessages> {
  const { db, keyring, accounts } = deps;
  const { accountId, conversationId } = own;
  const { hiddenMsgId } = await findOwnConversation(db, own);
  const { bucket, pinRefusal } = await findChangedConversation(deps, own);
  const rows = await selectPinned(db, { bucket, conversationId, hiddenMsgId: hiddenMsgId ?? '' });
  const msgIds = rows.map(({ msgId }) => msgId);
  const hidden = await selectHidden(db, accountId, msgIds);
  const seen = rows.filter(({ msgId }) => !hidden.has(msgId));
  const messages = await complete(
    accountId,
    seen.map((row) => viewMessage(keyring, row)),
  );
  const people = await accounts.findAll([...new Set(messages.map(({ from }) => from))]);
  return { mayPin: pinRefusal === undefined, messages, people: people.map(viewPeer) };
}
