import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { usePagesWhile } from '../../ui/parts/pages.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { commandsQuery, type OpenConversation } from '../conversations/queries.ts';
import { MOST_PAGES, membersQuery } from '../groups/queries.ts';
import { Avatar } from '../media/avatar.tsx';
import classes from './composer.module.css';
import { type Query, queryAt, type Suggestion, suggestCommands, suggestMembers } from './suggest.ts';

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

export interface Suggestions {
  query: Query | undefined;
  list: Suggestion[];
  /** The index that the keyboard has selected. */
  active: number;
  move: (by: number) => void;
  /** Hides the suggestions for this word. */
  dismiss: () => void;
}

/** Suggestions for the word at the cursor: a bot's commands, or members of the group. */
export function useSuggestions(
  { conversationId, kind, isNew = false }: OpenConversation,
  text: string,
  caret: number,
): Suggestions {
  const { accountId } = useAccount();
  const [dismissed, setDismissed] = useState<string>();
  const [active, setActive] = useState(0);
  const found = queryAt(text, caret);
  const place = found && `${found.kind} ${found.start}`;
  const query = place === dismissed ? undefined : found;
  const isMention = query?.kind === 'mention' && kind === 'group';
  const commands = useQuery({
    ...commandsQuery(conversationId),
    enabled: query?.kind === 'command' && !isNew,
  });
  const members = useInfiniteQuery({ ...membersQuery(conversationId), enabled: isMention });
  const pages = members.data?.pages ?? [];
  const list = isMention
    ? suggestMembers(
        pages.flatMap((page) => page.members),
        query.typed,
        accountId,
      )
    : query?.kind === 'command'
      ? suggestCommands(commands.data ?? [], query.typed)
      : [];
  usePagesWhile(isMention && list.length === 0 && pages.length < MOST_PAGES, members);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each word has its own list.
  useEffect(() => setActive(0), [query?.typed, query?.kind]);
  useEffect(() => {
    if (place === undefined) setDismissed(undefined);
  }, [place]);
  return {
    query,
    list,
    active: Math.min(active, Math.max(list.length - 1, 0)),
    move: (by) => setActive((now) => (now + by + list.length) % list.length),
    dismiss: () => setDismissed(place),
  };
}
