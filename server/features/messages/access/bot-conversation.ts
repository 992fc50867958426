import { type Contacts, contactKey } from '#features/contacts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import { notFound } from '#platform/errors.ts';
import { firstIdAt, isId } from '#platform/ids.ts';
import type { OwnConversation } from './own-conversation.ts';
import type { ListedConversation } from './queries.ts';

/** A conversation of a bot. */
export interface BotConversation
  extends OwnConversation,
    Pick<ListedConversation, 'bucket' | 'kind' | 'peerId'> {
  isBot: true;
  /** The bot sees the messages after this one: in a group those since it joined. */
  hiddenMsgId: string;
}

/** A message of one of a bot's conversations. */
export type BotMessage = BotConversation & { msgId: string };

/**
 * Finds a conversation of a bot by the id that bots know: that of the person, who must have written to it, or of a group that
 * it is in. Bots have no list of private conversations.
 *
 * @throws ApiError 404
 */
export async function findBotConversation(
  { contacts, groups }: { contacts: Contacts; groups: Groups },
  botId: string,
  chatOrGroupId: string,
): Promise<BotConversation> {
  if (isId('grp', chatOrGroupId)) {
    const found = await groups.findForActor(chatOrGroupId, botId);
    if (!found?.member) throw notFound('conversation.unknown');
    return {
      isBot: true,
      accountId: botId,
      conversationId: chatOrGroupId,
      bucket: found.group.bucket,
      kind: 'group',
      peerId: null,
      hiddenMsgId: firstIdAt('msg', found.member.joinedAt),
    };
  }
  const side = contactKey(chatOrGroupId, botId);
  const [contact] = isId('usr', chatOrGroupId) ? await contacts.find([side]) : [];
  if (contact?.wroteAt == null) throw notFound('conversation.unknown');
  return {
    isBot: true,
    accountId: botId,
    conversationId: side.conversationId,
    bucket: side.bucket,
    kind: 'private',
    peerId: chatOrGroupId,
    hiddenMsgId: '',
  };
}
