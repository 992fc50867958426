import type { Conversation, Peer } from '#contract/chat.ts';
import { text } from '../../ui/texts.ts';

/** The name of a person or bot, or a placeholder if deleted. */
export function nameOf({ name, isBot, isDeleted }: Pick<Peer, 'name' | 'isBot' | 'isDeleted'>): string {
  if (!isDeleted) return name;
  return isBot ? text('chat.conversation.deletedBot') : text('chat.conversation.deletedAccount');
}

/** Empty until it is known. */
export function personName(person: Peer | null | undefined): string {
  if (person === undefined) return '';
  return person ? nameOf(person) : text('chat.conversation.somebody');
}

/** The name and picture of a conversation: those of the peer or of the group. */
export function avatarOf({ conversationId, peer, group }: Conversation): {
  name: string;
  seed: string;
  pictureUrl: string | undefined;
  /** Who set the picture. */
  from: string | undefined;
} {
  if (group) {
    const { name, groupId, photoUrl, photoSetBy } = group;
    return { name, seed: groupId, pictureUrl: photoUrl, from: photoSetBy };
  }
  return {
    name: peer ? nameOf(peer) : '',
    seed: peer?.userId ?? conversationId,
    pictureUrl: peer?.pictureUrl,
    from: peer?.userId,
  };
}
