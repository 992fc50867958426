import type { ChatMessage, Notice } from '#contract/chat.ts';
import { enumerate, text } from '../../ui/texts.ts';
import { personName } from './names.ts';
import type { People } from './people.ts';

/** The text of a notice, an automatic line about a change to the group. */
export function noticeText({ from, notice }: ChatMessage, people: People, accountId: string): string {
  if (!notice) return '';
  const { kind, userIds = [], name = '', lifetimeDays } = notice;
  const form = formOf(notice, from);
  // A page may be older than its server.
  if (!form) return '';
  const [first = ''] = userIds;
  // Who became or was an administrator matters more than who decided it.
  const subject = kind === 'promoted' || kind === 'demoted' ? first : from;
  const youAsOther =
    kind === 'message-deleted' ? text('chat.conversation.youAsAuthor') : text('chat.conversation.youObject');
  const others = userIds.map((userId) => (userId === accountId ? youAsOther : personName(people[userId])));
  return text(`chat.conversation.notice${subject === accountId ? 'You' : ''}${form}`, {
    by: personName(people[from]),
    who: personName(people[subject]),
    whom: enumerate(others.filter((known) => known !== '')),
    name,
    after: lifetimeDays === undefined ? '' : text(`chat.lifetime.days${lifetimeDays}`),
  });
}

const FORMS = {
  joined: 'Joined',
  left: 'Left',
  removed: 'Removed',
  renamed: 'Renamed',
  promoted: 'Promoted',
  demoted: 'Demoted',
  retention: 'Lifetime',
  'message-deleted': 'MessageDeleted',
} as const satisfies Record<Notice['kind'], string>;

/** The end of the key of its text. */
function formOf({ kind, userIds, lifetimeDays }: Notice, from: string) {
  // Only by a link can people bring themselves.
  if (kind === 'joined' && userIds?.[0] === from) return 'JoinedByLink';
  return kind === 'retention' && lifetimeDays === undefined ? 'NoLifetime' : FORMS[kind];
}
