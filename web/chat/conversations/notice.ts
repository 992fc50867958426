import type { ChatMessage } from '#contract/chat.ts';
import { enumerate, text } from '../../ui/texts.ts';
import { personName } from './names.ts';
import type { People } from './people.ts';

/** The text of a notice, an automatic line about a change to the group. */
export function noticeText({ from, notice }: ChatMessage, people: People, accountId: string): string {
  if (!notice) return '';
  const { kind, userIds = [], name = '', lifetimeDays } = notice;
  const isOwn = from === accountId;
  const by = personName(people[from]);
  const namesWith = (you: string) => {
    const names = userIds.map((userId) => (userId === accountId ? you : personName(people[userId])));
    return enumerate(names.filter((known) => known !== ''));
  };
  const isAboutReader = userIds[0] === accountId;
  const who = personName(people[userIds[0] ?? '']);
  const whom = namesWith(text('chat.conversation.youObject'));
  switch (kind) {
    case 'joined':
      // Only by a link can people bring themselves.
      if (userIds[0] === from)
        return isOwn
          ? text('chat.conversation.noticeYouJoinedByLink')
          : text('chat.conversation.noticeJoinedByLink', { who });
      return isOwn
        ? text('chat.conversation.noticeYouAdded', { whom })
        : text('chat.conversation.noticeJoined', { by, whom });
    case 'left':
      return isOwn
        ? text('chat.conversation.noticeYouLeft')
        : text('chat.conversation.noticeLeft', { who: by });
    case 'removed':
      return isOwn
        ? text('chat.conversation.noticeYouRemoved', { whom })
        : text('chat.conversation.noticeRemoved', { by, whom });
    case 'renamed':
      return isOwn
        ? text('chat.conversation.noticeYouRenamed', { name })
        : text('chat.conversation.noticeRenamed', { by, name });
    case 'promoted':
      return isAboutReader
        ? text('chat.conversation.noticeYouPromoted')
        : text('chat.conversation.noticePromoted', { who });
    case 'demoted':
      return isAboutReader
        ? text('chat.conversation.noticeYouDemoted')
        : text('chat.conversation.noticeDemoted', { who });
    case 'retention': {
      if (lifetimeDays === undefined)
        return isOwn
          ? text('chat.conversation.noticeYouNoLifetime')
          : text('chat.conversation.noticeNoLifetime', { by });
      const after = text(`chat.lifetime.days${lifetimeDays}`);
      return isOwn
        ? text('chat.conversation.noticeYouLifetime', { after })
        : text('chat.conversation.noticeLifetime', { by, after });
    }
    case 'message-deleted': {
      const author = namesWith(text('chat.conversation.youAsAuthor'));
      return isOwn
        ? text('chat.conversation.noticeYouDeleted', { whom: author })
        : text('chat.conversation.noticeMessageDeleted', { by, whom: author });
    }
    default:
      return '';
  }
}
