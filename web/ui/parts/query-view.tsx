import { Skeleton, Stack, type StackProps } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { ApiError } from '../api.ts';
import { useTexts } from '../texts.ts';
import { Fault } from './faults.tsx';

/** The three states of a query: loading, failed, loaded. `loading` replaces the grey bars, `empty` a list without entries, `gone` the fault that a link leads nowhere. */
export function QueryView<T>({
  query,
  loading,
  empty,
  gone,
  children,
}: {
  query: UseQueryResult<T>;
  loading?: ReactNode;
  empty?: ReactNode;
  gone?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { data } = query;
  if (data !== undefined) return empty && Array.isArray(data) && data.length === 0 ? empty : children(data);
  if (gone && query.error instanceof ApiError && [400, 404].includes(query.error.status)) return gone;
  if (query.isError) return <Fault error={query.error} retry={() => query.refetch()} />;
  return loading ?? <Bars />;
}

/** A list of a query, one row below the other; `children` makes the row of an entry, with its key. */
export function QueryRows<Item>({
  gap,
  children,
  ...view
}: Pick<StackProps, 'gap'> &
  Omit<ComponentProps<typeof QueryView<Item[]>>, 'children'> & { children: (item: Item) => ReactNode }) {
  return (
    <QueryView {...view}>{(items) => <Stack {...(gap && { gap })}>{items.map(children)}</Stack>}</QueryView>
  );
}

/** The fault of a query that shows nothing while it loads, nor if there is nothing. */
export function Failed({ query: { data, error, refetch } }: { query: UseQueryResult<unknown> }) {
  return data === undefined && error && <Fault error={error} retry={() => refetch()} />;
}

/** Grey bars as placeholders for text. */
export function Bars({ count = 4 }: { count?: number | undefined }) {
  const t = useTexts();
  return (
    <Stack aria-busy="true" role="status">
      <span className="visually-hidden">{t('ui.common.loading')}</span>
      {Array.from({ length: count }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike and never move.
        <Skeleton key={i} height={20} width={`${90 - ((i * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}
