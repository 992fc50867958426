import type { Conversation, Peer } from '#contract/chat.ts';
import { language } from '../../ui/texts.ts';
import { conversationTexts } from './texts.ts';

/** The name of a person or bot; deleted ones have none. */
export function nameOf({ name, isBot, isDeleted }: Pick<Peer, 'name' | 'isBot' | 'isDeleted'>): string {
  if (!isDeleted) return name;
  const t = conversationTexts[language()];
  return isBot ? t.deletedBot : t.deletedAccount;
}

/** How a conversation is shown: by whom it is with, or as the group it is. */
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
