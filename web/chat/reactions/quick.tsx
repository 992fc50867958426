import { createScopedKeydownHandler, Menu } from '@mantine/core';
import { IconMoodPlus } from '@tabler/icons-react';
import { useTexts } from '../../ui/texts.ts';
import classes from './reactions.module.css';

const QUICK = ['👍', '❤️', '😂', '😮', '😢', '🙏'];

/** They stand in a row: besides the keys of the menu, the arrows to the sides move along it. */
const onKeyDown = createScopedKeydownHandler({
  siblingSelector: '[role=menuitem]',
  parentSelector: '[role=group]',
  orientation: 'horizontal',
  dir: 'ltr',
});

/** The most common reactions, and an item for all others. */
export function QuickReactions({
  onReact,
  onMore,
}: {
  onReact: (emoji: string) => void;
  onMore: () => void;
}) {
  const t = useTexts();
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is a group of menu items.
    <div role="group" className={classes.quick} aria-label={t('chat.reaction.react')}>
      {QUICK.map((emoji) => (
        <Menu.Item
          key={emoji}
          className={classes.emoji ?? ''}
          aria-label={t('chat.reaction.reactWith', { emoji })}
          onKeyDown={onKeyDown}
          onClick={() => onReact(emoji)}
        >
          {emoji}
        </Menu.Item>
      ))}
      <Menu.Item
        className={classes.emoji ?? ''}
        aria-label={t('chat.reaction.moreEmoji')}
        onKeyDown={onKeyDown}
        onClick={onMore}
      >
        <IconMoodPlus size={22} stroke={1.5} aria-hidden="true" />
      </Menu.Item>
    </div>
  );
}
