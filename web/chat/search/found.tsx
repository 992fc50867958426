import { Box } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { Pages, usePagesWhile } from '../../ui/parts/pages.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Hit } from './hit.tsx';
import { isEmpty, type SearchFilter, searchQuery } from './queries.ts';
import classes from './search.module.css';

/** The search continues automatically until it has this many matches; then on request. */
const ENOUGH = 20;

/** Searches until there are some matches, or as many as are needed. */
export function useFound(filter: SearchFilter, needed = ENOUGH) {
  const query = useInfiniteQuery(searchQuery(filter));
  const pages = query.data?.pages ?? [];
  const messages = pages.flatMap((page) => page.messages);
  const isReading = usePagesWhile(messages.length < needed, query);
  return {
    query,
    messages,
    people: new Map(pages.flatMap((page) => page.people).map((person) => [person.userId, person])),
    count: messages.length,
    looked: pages.reduce((sum, page) => sum + page.looked, 0),
    isSearching: query.isFetching || isReading,
  };
}

/** The matches so far, newest first. */
export function Found({ filter }: { filter: SearchFilter }) {
  const t = useTexts();
  const { query, people, looked, count, isSearching } = useFound(filter);
  if (isEmpty(filter)) {
    return (
      <Empty icon={<IconSearch />} title={t('chat.search.beginTitle')}>
        {t('chat.search.beginText')}
      </Empty>
    );
  }
  return (
    <Box mt="md" aria-busy={isSearching}>
      <Dimmed role="status">
        {isSearching
          ? t('chat.search.searching', { looked })
          : count > 0 && t('chat.search.found', { count })}
      </Dimmed>
      <Pages
        query={query}
        items={(page) => page.messages}
        empty={
          !isSearching && (
            <Empty icon={<IconSearch />} title={t('chat.search.nothingTitle')}>
              {t('chat.search.nothingText', { looked })}
            </Empty>
          )
        }
      >
        {(messages) => (
          <ul className={classes.list}>
            {messages.map((message) => (
              <Hit
                key={message.msgId}
                message={message}
                from={people.get(message.from)}
                words={filter.words ?? ''}
              />
            ))}
          </ul>
        )}
      </Pages>
    </Box>
  );
}
