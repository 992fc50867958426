import { Anchor, Box, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Profile } from '#contract/chat.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { useTexts } from '../../ui/texts.ts';
import { botQuery, conversationsQuery } from '../conversations/queries.ts';
import { Avatar } from '../media/avatar.tsx';
import { Hit } from './hit.tsx';
import { searchQuery } from './queries.ts';
import classes from './search.module.css';

/** The search of messages waits for a pause in typing. */
const PAUSE_MS = 400;
const FEWEST_LETTERS = 2;
/** The others are on the page of the search. */
const MOST_HITS = 5;
const USERNAME = /^@?(\w{3,32})$/;

/**
 * Below the conversations that the field above the list finds: a person or bot of this username, and messages; or that there is
 * nothing of all this.
 */
export default function Elsewhere({ typed, hasConversations }: { typed: string; hasConversations: boolean }) {
  const t = useTexts();
  const [words] = useDebouncedValue(typed, PAUSE_MS);
  const { person, isLoading: isAsking } = usePerson(words);
  const isSearched = words.length >= FEWEST_LETTERS;
  const search = useInfiniteQuery(searchQuery({ words: isSearched ? words : '' }));
  const { data, isLoading, isFetching, isError, hasNextPage } = search;
  const [page] = data?.pages ?? [];
  const hits = page?.messages.slice(0, MOST_HITS) ?? [];
  const isMore = hasNextPage || (page?.messages.length ?? 0) > hits.length;
  const looked = page?.looked ?? 0;
  const isOver = words === typed && !isAsking && !isLoading;
  return (
    <>
      {isOver && !hasConversations && !person && hits.length === 0 && (
        <Dimmed ta="center" p="md" role="status">
          {t('chat.conversation.noneFound')}
        </Dimmed>
      )}
      {person && <Person person={person} />}
      {isSearched && (
        <Section title={t('chat.search.messages')}>
          <ul className={classes.list}>
            {hits.map((message) => (
              <Hit
                key={message.msgId}
                message={message}
                from={page?.people.find(({ userId }) => userId === message.from)}
                words={words}
              />
            ))}
          </ul>
          <Dimmed px="xs" role="status">
            {isFetching && !page && t('chat.search.searching', { looked })}
            {page && hits.length === 0 && t('chat.search.nothingText', { looked })}
          </Dimmed>
          {(isMore || isError) && (
            <Anchor component={Link} to={`/search?${new URLSearchParams({ words })}`} size="sm" px="xs">
              {t('chat.search.goOn')}
            </Anchor>
          )}
        </Section>
      )}
    </>
  );
}

/** Nobody with whom there is a conversation: it has been found. */
function usePerson(typed: string): { person: Profile | undefined; isLoading: boolean } {
  const username = USERNAME.exec(typed)?.[1]?.toLowerCase() ?? '';
  const { data, isLoading } = useQuery({ ...botQuery(username), enabled: username !== '', retry: false });
  const { data: list } = useQuery(conversationsQuery);
  const isKnown = list?.conversations.some(({ peer }) => peer?.userId === data?.userId);
  return { person: data && !isKnown ? { ...data, username } : undefined, isLoading };
}

function Person({ person: { userId, name, username = '', pictureUrl } }: { person: Profile }) {
  const t = useTexts();
  return (
    <Section title={t('chat.search.people')}>
      <ul className={classes.list}>
        <li>
          <Link to={`/new/bot?${new URLSearchParams({ username })}`} className={classes.hit}>
            <Avatar name={name} seed={userId} pictureUrl={pictureUrl} size={40} />
            <div style={{ minWidth: 0 }}>
              <Box className="one-line" fw={650}>
                {name}
              </Box>
              <Dimmed>@{username}</Dimmed>
            </div>
          </Link>
        </li>
      </ul>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" p={8} aria-label={title}>
      <Title order={2} size="sm" c="dimmed" px="xs">
        {title}
      </Title>
      {children}
    </Box>
  );
}
