import { IconMoodPlus } from '@tabler/icons-react';
import { useTexts } from '../../ui/texts.ts';
import classes from './reactions.module.css';

const QUICK = ['👍', '❤️', '😂', '😮', '😢', '🙏'];

/** The most common reactions, and a button for all others. */
export function QuickReactions({
  onReact,
  onMore,
  onDone,
}: {
  onReact: (emoji: string) => void;
  onMore: () => void;
  onDone: () => void;
}) {
  const t = useTexts();
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is a group of menu items.
    <div role="group" className={classes.quick} aria-label={t('chat.reaction.react')}>
      {QUICK.map((emoji) => (
        <button
          key={emoji}
          type="button"
          role="menuitem"
          className={classes.emoji}
          aria-label={t('chat.reaction.reactWith', { emoji })}
          onClick={() => {
            onReact(emoji);
            onDone();
          }}
        >
          {emoji}
        </button>
      ))}
      <button
        type="button"
        role="menuitem"
        className={classes.emoji}
        aria-label={t('chat.reaction.moreEmoji')}
        onClick={onMore}
      >
        <IconMoodPlus size={22} stroke={1.5} aria-hidden="true" />
      </button>
    </div>
  );
}
