import type { ChatMessage, ForwardedFrom, ForwardMessage } from '#contract/chat.ts';
import { viewPeer } from '#features/accounts/index.ts';
import { invalidArgument, notFound } from '#platform/errors.ts';
import type { Reserved } from '#platform/http/serve.ts';
import { privateConversationId } from '#platform/ids.ts';
import { findReadable } from '../access/own-conversation.ts';
import { type MessageContent, openBodyIfReadable, withFileDetails } from '../content.ts';
import { showWritten } from '../conversations/thread.ts';
import type { MessageDeps } from '../deps.ts';
import type { MessageRow } from '../queries.ts';
import type { SendFromPerson, Writer } from './from-person.ts';
import type { createGroupSender } from './group.ts';

type Deps = MessageDeps & {
  sendToGroup: ReturnType<typeof createGroupSender>;
  sendFromPerson: SendFromPerson;
};

/**
 * A person forwards a message that they may read, of any type: it is sent like any other, under the same rules.
 * A file is not copied: it stays until the last message that uses it is deleted.
 *
 * @throws ApiError 404 conversation or message, 400 no recipient or a deleted file, and the errors of a send
 */
export async function forwardMessage(
  deps: Deps,
  person: Writer,
  { to, groupId, conversationId, msgId, isAnonymous = false, albumId }: ForwardMessage,
  reserved: Reserved,
): Promise<ChatMessage> {
  const target = to ?? groupId;
  if (target === undefined || (to !== undefined && groupId !== undefined))
    throw invalidArgument('to', 'needs-one-of', { fields: 'to, groupId' });
  const { accountId } = person;
  const read = async () => {
    const [row] = await findReadable(deps, { accountId, conversationId }, [msgId]);
    if (!row) throw notFound('conversation.no-message');
    return row;
  };
  const row = await read();
  const content = await copyOf(deps, row, { isAnonymous, albumId });
  const [more] = deps.hooks.flatMap((hook) => hook.forwarded?.(content, to ?? null) ?? []);
  const sending = { to: target, field: 'to', content, ...more };
  const claimed = deps.media.withClaim(content.body, [msgId, reserved.id], async () => {
    // Deleted before its file was claimed, it would never release the file.
    if (content.body.fileUrl !== undefined) await read();
    return to === undefined
      ? deps.sendToGroup({ kind: 'user', ...person }, sending, reserved)
      : deps.sendFromPerson(person, sending, reserved);
  });
  const written = await claimed.catch(async (error) => {
    // A file that is gone went with its message.
    await read();
    throw error;
  });
  const reached = to === undefined ? target : privateConversationId(accountId, to);
  return showWritten(deps, { conversationId: reached, msgId: reserved.id }, written);
}

/** Everything except the data that belongs to its original conversation. */
async function copyOf(
  { accounts, keyring }: Deps,
  row: MessageRow,
  { isAnonymous, albumId }: { isAnonymous: boolean; albumId: string | undefined },
): Promise<MessageContent> {
  const opened = openBodyIfReadable(keyring, row);
  if (!opened) throw notFound('conversation.no-message');
  const {
    mentionedUserIds: _,
    editedAt: __,
    quickReplies: ____,
    quickReplyValue: _____,
    forwardedFrom: known,
    fileDetails,
    ...body
  } = opened;
  const [author] = isAnonymous || known ? [] : await accounts.findAll([row.senderId]);
  const forwardedFrom = isAnonymous ? {} : (known ?? (author ? nameOf(viewPeer(author)) : {}));
  const type = row.type as MessageContent['type'];
  const { albumId: ___, ...details } = fileDetails ?? {};
  const content = { type, body: { ...body, forwardedFrom }, replyToMsgId: undefined };
  const isPicture = type === 'image' || type === 'video';
  return withFileDetails(content, { ...details, ...(isPicture && albumId !== undefined && { albumId }) });
}

function nameOf({ name, username, isBot, isDeleted }: ReturnType<typeof viewPeer>): ForwardedFrom {
  if (isDeleted) return {};
  return { name, ...(isBot && username !== undefined && { username }) };
}
