import { useEffect, useRef } from 'react';
import { useTexts } from '../../ui/texts.ts';
import { Avatar } from '../media/avatar.tsx';
import classes from './composer.module.css';
import type { Suggestion } from './suggest.ts';
import type { Suggestions } from './use-suggestions.ts';

/** The list of suggestions above the field; the focus stays in the field. */
export function SuggestionMenu({
  id,
  suggestions: { query, list, active },
  onChoose,
}: {
  id: string;
  suggestions: Suggestions;
  onChoose: (suggestion: Suggestion) => void;
}) {
  const t = useTexts();
  return (
    <div
      id={id}
      className={classes.menu}
      role="listbox"
      aria-label={query?.kind === 'command' ? t('chat.composer.commands') : t('chat.composer.members')}
    >
      {list.map((suggestion, index) => (
        <Choice
          key={suggestion.key}
          id={`${id}-${index}`}
          suggestion={suggestion}
          isActive={index === active}
          onChoose={onChoose}
        />
      ))}
    </div>
  );
}

function Choice({
  id,
  suggestion,
  isActive,
  onChoose,
}: {
  id: string;
  suggestion: Suggestion;
  isActive: boolean;
  onChoose: (suggestion: Suggestion) => void;
}) {
  const element = useRef<HTMLDivElement>(null);
  const { word, about, person } = suggestion;
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option.
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      className={classes.choice}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(suggestion)}
    >
      {person && <Avatar name={person.name} seed={person.userId} pictureUrl={person.pictureUrl} size={26} />}
      <span className={classes.word}>{person ? person.name : word}</span>
      <span className={classes.about}>{about}</span>
    </div>
  );
}
