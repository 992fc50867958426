import type { ChatMessage } from '#contract/chat.ts';
import { isSecondTap } from '../../ui/parts/second-tap.ts';
import { useAccount } from '../../ui/session/session.ts';
import { enumerate, useTexts } from '../../ui/texts.ts';
import { personName } from '../conversations/names.ts';
import { useThread } from '../message/thread-context.ts';
import { useReact } from './queries.ts';
import classes from './reactions.module.css';

/** At most this many are named; the others are counted. */
const MOST_NAMED = 20;

/** The reactions to a message with their counts and people; a click adds the same reaction, or removes the person's own. */
export function ReactionList({ message }: { message: ChatMessage }) {
  const t = useTexts();
  const { people } = useThread();
  const { accountId } = useAccount();
  const react = useReact(message);
  const given = message.reactions?.given ?? [];
  if (given.length === 0) return null;
  return (
    <ul className={classes.list} aria-label={t('chat.reaction.reactions')}>
      {given.map(({ emoji, userIds }) => {
        const names = userIds
          .toSorted((one, other) => Number(other === accountId) - Number(one === accountId))
          .slice(0, MOST_NAMED)
          .map((userId) => (userId === accountId ? t('chat.reaction.you') : personName(people[userId])))
          .filter((name) => name !== '');
        const others = userIds.length - names.length;
        const who = enumerate([
          ...names,
          ...(others > 0 ? [t('chat.reaction.others', { count: others })] : []),
        ]);
        return (
          <li key={emoji}>
            <button
              type="button"
              className={classes.reaction}
              aria-pressed={userIds.includes(accountId)}
              aria-label={`${emoji} ${userIds.length}: ${who}`}
              title={who}
              onClick={(event) => isSecondTap(event) || react(emoji)}
            >
              <span aria-hidden="true">{emoji}</span> {userIds.length}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
