import type { ChatMessage } from '#contract/chat.ts';
import { language } from '../../ui/texts.ts';
import { type People, personName } from './people.ts';
import { conversationTexts, lifetimeTexts } from './texts.ts';

/** The text of a notice, an automatic line about a change to the group. */
export function noticeText({ from, notice }: ChatMessage, people: People, accountId: string): string {
  const t = conversationTexts[language()];
  if (!notice) return '';
  const nameOf = (userId: string) => (userId === accountId ? t.you : personName(people[userId]));
  const by = nameOf(from);
  const { kind, userIds = [], name = '', lifetimeDays } = notice;
  const names = userIds.map(nameOf).filter((known) => known !== '');
  const whom = new Intl.ListFormat(language()).format(names);
  switch (kind) {
    case 'joined':
      return t.noticeJoined(by, whom);
    case 'left':
      return t.noticeLeft(by);
    case 'removed':
      return t.noticeRemoved(by, whom);
    case 'renamed':
      return t.noticeRenamed(by, name);
    case 'promoted':
      return t.noticePromoted(whom);
    case 'demoted':
      return t.noticeDemoted(whom);
    case 'retention':
      return lifetimeDays === undefined
        ? t.noticeNoLifetime(by)
        : t.noticeLifetime(by, lifetimeTexts[language()][`days${lifetimeDays}`]);
    case 'message-deleted':
      return t.noticeMessageDeleted(by, whom);
    default:
      return '';
  }
}
