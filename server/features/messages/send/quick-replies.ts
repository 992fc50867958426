import type { ChatMessage } from '#contract/chat.ts';
import { invalidArgument, permissionDenied } from '#platform/errors.ts';
import type { Reserved } from '#platform/http/serve.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { findReadable, type OwnMessage } from '../access/own-conversation.ts';
import { type ExtraWrites, type MessageBody, openBodyIfReadable, withBody } from '../content.ts';
import { showWritten } from '../conversations/thread.ts';
import { lockMessage, type MessageRow, updateBody } from '../queries.ts';
import { keepIfHeld } from '../retention/queries.ts';
import { viewMessage } from '../view.ts';
import { findStored } from './batch.ts';
import type { SendFromPerson, Writer } from './from-person.ts';
import type { createGroupSender } from './group.ts';

type Deps = Platform & {
  sendToGroup: ReturnType<typeof createGroupSender>;
  sendFromPerson: SendFromPerson;
};

/** A button of a message, by its index. */
export type PressedButton = Omit<OwnMessage, 'accountId'> & { button: number };

/**
 * A person presses a button below a message of a bot: its label is sent as a text message that quotes the question, under the
 * rules of messages, and the value of the button is kept for the bot. The buttons of a question that is answered once go in the
 * same transaction, so that of two people who press at once one answers.
 *
 * @throws ApiError 404 conversation, 400 no such button, 403 meant for others, and the errors of a send
 */
export async function pressQuickReply(
  deps: Deps,
  person: Writer,
  { conversationId, msgId, button }: PressedButton,
  reserved: Reserved,
): Promise<ChatMessage> {
  const { accountId } = person;
  const [question] = await findReadable(deps, { accountId, conversationId }, [msgId]);
  const answer = { conversationId, msgId: reserved.id };
  if (reserved.isResumed && question) {
    const stored = await findStored(deps.db, [{ ...answer, bucket: question.bucket }]);
    if (stored.size > 0) return showWritten(deps, answer, undefined);
  }
  const { quickReplies, mentionedUserIds = [] } = requireButton(deps, question, button);
  const { label, value } = quickReplies.buttons[button] as (typeof quickReplies.buttons)[number];
  const isGroup = isId('grp', conversationId);
  if (isGroup && quickReplies.mentionedOnly && !mentionedUserIds.includes(accountId))
    throw permissionDenied('message.buttons-for-others');
  let answered: MessageRow | undefined;
  const takeButtons: ExtraWrites = async (tx) => {
    const row = await lockMessage(tx, question as MessageRow);
    const { quickReplies: _, ...body } = requireButton(deps, row, button);
    answered = withBody(deps.keyring, row as MessageRow, body);
    await keepIfHeld(tx, answered, deps.clock.now());
    await updateBody(tx, answered);
  };
  const sending = {
    content: {
      type: 'text' as const,
      body: { content: label, quickReplyValue: value ?? label },
      replyToMsgId: msgId,
    },
    ...(quickReplies.once && { extraWrites: takeButtons, isAlone: true }),
  };
  const { senderId } = question as MessageRow;
  const written = isGroup
    ? await deps.sendToGroup({ kind: 'user', ...person }, { ...sending, to: conversationId }, reserved)
    : await deps.sendFromPerson(person, { ...sending, to: senderId, field: 'msgId' }, reserved);
  if (written && answered) {
    const data = viewMessage(deps.keyring, answered);
    const topics = isGroup ? [conversationId] : [accountId, senderId];
    for (const topic of topics) deps.live.publish(topic, { type: 'message.changed', data });
  }
  return showWritten(deps, answer, written);
}

/** @throws ApiError 400 when the message does not have this button, or no longer */
function requireButton(
  { keyring }: Pick<Platform, 'keyring'>,
  row: MessageRow | undefined,
  index: number,
): MessageBody & Required<Pick<MessageBody, 'quickReplies'>> {
  const body = row && openBodyIfReadable(keyring, row);
  const button = body?.quickReplies?.buttons[index];
  if (!body?.quickReplies || !button || button.url != null) throw invalidArgument('button', 'no-such-button');
  return { ...body, quickReplies: body.quickReplies };
}
