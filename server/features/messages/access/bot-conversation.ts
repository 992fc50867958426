import { type Contacts, contactKey } from '#features/contacts/index.ts';
import { type Groups, refuseToPost } from '#features/groups/index.ts';
import { type ApiError, notFound } from '#platform/errors.ts';
import { firstIdAt, isId } from '#platform/ids.ts';
import { audienceOfGroup, refuseFromBot } from '../rules.ts';
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

/** A conversation of a bot, and what the bot may do there. */
interface BotAccess {
  own: BotConversation;
  /** The reason why the bot cannot write there, if any. */
  refusal: ApiError | undefined;
  /** The topic on which it is shown that the bot is writing, if it is. */
  audience: string | undefined;
}

/**
 * Finds a conversation of a bot by the id that bots know: that of the person, who must have written to it, or of a group that
 * it is in. Bots have no list of private conversations.
 *
 * @throws ApiError 404
 */
export async function findBotAccess(
  { contacts, groups }: { contacts: Pick<Contacts, 'find'>; groups: Pick<Groups, 'findForActor'> },
  botId: string,
  chatOrGroupId: string,
): Promise<BotAccess> {
  if (isId('grp', chatOrGroupId)) {
    const found = await groups.findForActor(chatOrGroupId, botId);
    if (!found?.member) throw notFound('conversation.unknown');
    const own = {
      isBot: true as const,
      accountId: botId,
      conversationId: chatOrGroupId,
      bucket: found.group.bucket,
      kind: 'group' as const,
      peerId: null,
      hiddenMsgId: firstIdAt('msg', found.member.joinedAt),
    };
    return {
      own,
      refusal: refuseToPost(found.group, found.member),
      audience: audienceOfGroup(found.group),
    };
  }
  const side = contactKey(chatOrGroupId, botId);
  const [contact] = isId('usr', chatOrGroupId) ? await contacts.find([side]) : [];
  if (contact?.wroteAt == null) throw notFound('conversation.unknown');
  const own = {
    isBot: true as const,
    accountId: botId,
    conversationId: side.conversationId,
    bucket: side.bucket,
    kind: 'private' as const,
    peerId: chatOrGroupId,
    hiddenMsgId: '',
  };
  const person = { exists: true, isBot: false };
  return { own, refusal: refuseFromBot(person, contact, false, 'conversationId'), audience: chatOrGroupId };
}

/** The conversation alone. @throws ApiError 404 */
export async function findBotConversation(
  deps: Parameters<typeof findBotAccess>[0],
  botId: string,
  chatOrGroupId: string,
): Promise<BotConversation> {
  return (await findBotAccess(deps, botId, chatOrGroupId)).own;
}
