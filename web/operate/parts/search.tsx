import { Button, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { LIMITS } from '#contract/limits.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { FormLine } from '../../ui/parts/form.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';

/** A search whose text is in the URL, so that "back" restores it. */
export function useSearched(): string {
  return useSearchParams()[0].get('q')?.trim() ?? '';
}

/** A screen that searches: how to begin, or a table of what was found. */
export function SearchScreen<Item>({
  about,
  icon,
  query,
  below,
  ...table
}: {
  about: 'people' | 'applications';
  icon: ReactNode;
  query: UseQueryResult<Item[]>;
  /** Below how to begin. */
  below?: ReactNode;
} & Pick<ComponentProps<typeof WideTable<Item>>, 'keyOf' | 'columns'>) {
  const t = useTexts();
  const [, setParams] = useSearchParams();
  const searched = useSearched();
  const name = about === 'people' ? 'people' : 'application';
  return (
    <Screen title={t(`operate.section.${about}`)} lead={t(`operate.${name}.lead`)} size="lg">
      <FormLine
        onSubmit={(fields) => setParams({ q: String(fields.get('q')).trim() })}
        role="search"
        gap="xs"
      >
        <TextInput
          key={searched}
          name="q"
          label={t(`operate.${name}.label`)}
          description={t(`operate.${name}.hint`)}
          defaultValue={searched}
          leftSection={<IconSearch size={16} />}
          autoComplete="off"
          maxLength={254}
          required
          style={{ flex: '1 1 16rem' }}
        />
        <Button type="submit">{t('operate.common.search')}</Button>
      </FormLine>
      {searched === '' ? (
        <>
          <Empty icon={icon} title={t(`operate.${name}.begin`)}>
            {t(`operate.${name}.beginText`)}
          </Empty>
          {below}
        </>
      ) : (
        <QueryView
          query={query}
          empty={
            <Empty icon={icon} title={t('operate.common.none')}>
              {t(`operate.${name}.noneText`)}
            </Empty>
          }
        >
          {(found) => (
            <>
              <WideTable label={t(`operate.section.${about}`)} minWidth={560} items={found} {...table} />
              {found.length >= LIMITS.operatorSearchResults && (
                <Text c="dimmed">
                  {t('operate.common.firstOnly', { count: LIMITS.operatorSearchResults })}
                </Text>
              )}
            </>
          )}
        </QueryView>
      )}
    </Screen>
  );
}
