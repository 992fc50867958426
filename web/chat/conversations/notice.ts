import type { ChatMessage } from '#contract/chat.ts';
import { language, text } from '../../ui/texts.ts';
import { type People, personName } from './people.ts';

/** The text of a notice, an automatic line about a change to the group. */
export function noticeText({ from, notice }: ChatMessage, people: People, accountId: string): string {
  if (!notice) return '';
  const nameOf = (userId: string) =>
    userId === accountId ? text('chat.conversation.you') : personName(people[userId]);
  const by = nameOf(from);
  const { kind, userIds = [], name = '', lifetimeDays } = notice;
  const names = userIds.map(nameOf).filter((known) => known !== '');
  const whom = new Intl.ListFormat(language()).format(names);
  switch (kind) {
    case 'joined':
      // Only by a link can people bring themselves.
      return userIds[0] === from
        ? text('chat.conversation.noticeJoinedByLink', { who: by })
        : text('chat.conversation.noticeJoined', { by, whom });
    case 'left':
      return text('chat.conversation.noticeLeft', { who: by });
    case 'removed':
      return text('chat.conversation.noticeRemoved', { by, whom });
    case 'renamed':
      return text('chat.conversation.noticeRenamed', { by, name });
    case 'promoted':
      return text('chat.conversation.noticePromoted', { whom });
    case 'demoted':
      return text('chat.conversation.noticeDemoted', { whom });
    case 'retention':
      return lifetimeDays === undefined
        ? text('chat.conversation.noticeNoLifetime', { by })
        : text('chat.conversation.noticeLifetime', { by, after: text(`chat.lifetime.days${lifetimeDays}`) });
    case 'message-deleted':
      return text('chat.conversation.noticeMessageDeleted', { by, whom });
    default:
      return '';
  }
}
