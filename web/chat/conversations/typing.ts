import type { Conversation } from '#contract/chat.ts';
import { enumerate, text } from '../../ui/texts.ts';
import { useTyping } from '../live/typing.ts';
import { personName } from './names.ts';
import { usePeople } from './people.ts';

/** At most this many are named; the others are counted. */
const MOST_NAMED = 2;

/** Who is typing in a conversation, in words; empty if nobody is. */
export function useTypingWords({ conversationId, kind }: Conversation): string {
  const userIds = useTyping(conversationId);
  const people = usePeople(conversationId);
  if (userIds.length === 0) return '';
  const names = userIds.map((userId) => personName(people[userId])).filter((name) => name !== '');
  if (kind === 'private' || names.length === 0) return text('chat.conversation.typing');
  const others = userIds.length - MOST_NAMED;
  const shown = [
    ...names.slice(0, MOST_NAMED),
    ...(others > 0 ? [text('chat.conversation.othersTyping', { count: others })] : []),
  ];
  return text('chat.conversation.whoTypes', {
    names: enumerate(shown),
    count: userIds.length,
  });
}
