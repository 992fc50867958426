import { Button, Group } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTexts } from '../texts.ts';
import { Fault } from './faults.tsx';
import { Bars } from './query-view.tsx';

/** Loads page after page while more are wanted, and says whether it does: until there are none, or one fails. */
export function usePagesWhile(
  isWanted: boolean,
  { hasNextPage, isFetching, isError, fetchNextPage }: UseInfiniteQueryResult,
): boolean {
  const isReading = isWanted && hasNextPage && !isError;
  useEffect(() => {
    if (isReading && !isFetching) void fetchNextPage();
  }, [isReading, isFetching, fetchNextPage]);
  return isReading;
}

/** A paginated list with its states, and a button for the next page. */
export function Pages<Page, Item>({
  query,
  items,
  empty,
  children,
}: {
  query: UseInfiniteQueryResult<InfiniteData<Page>>;
  items: (page: Page) => Item[];
  empty: ReactNode;
  children: (items: Item[]) => ReactNode;
}) {
  const t = useTexts();
  if (!query.data) {
    return query.isError ? <Fault error={query.error} retry={() => query.refetch()} /> : <Bars />;
  }
  const all = query.data.pages.flatMap(items);
  return (
    <>
      {all.length === 0 ? empty : children(all)}
      {query.isFetchNextPageError && <Fault error={query.error} retry={() => query.fetchNextPage()} />}
      {query.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            {t('ui.common.loadMore')}
          </Button>
        </Group>
      )}
    </>
  );
}
