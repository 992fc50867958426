import { Button, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { LIMITS } from '#contract/limits.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { FormLine } from '../../ui/parts/form.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';

/** A search whose text is in the URL, so that "back" restores it. */
export function useSearched(): string {
  return useSearchParams()[0].get('q')?.trim() ?? '';
}

/** A screen that searches: how to begin, or what was found. */
export function SearchScreen<Item>({
  about,
  icon,
  query,
  below,
  children,
}: {
  about: 'people' | 'applications';
  icon: ReactNode;
  query: UseQueryResult<Item[]>;
  /** Below how to begin. */
  below?: ReactNode;
  children: (found: Item[]) => ReactNode;
}) {
  const t = useTexts();
  const name = about === 'people' ? 'people' : 'application';
  return (
    <Screen title={t(`operate.section.${about}`)} lead={t(`operate.${name}.lead`)} size="lg">
      <SearchField label={t(`operate.${name}.label`)} hint={t(`operate.${name}.hint`)} />
      {useSearched() === '' ? (
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
              {children(found)}
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

/** The search field for an id, e-mail address or name. */
function SearchField({ label, hint }: { label: string; hint: string }) {
  const t = useTexts();
  const [params, setParams] = useSearchParams();
  return (
    <FormLine onSubmit={(fields) => setParams({ q: String(fields.get('q')).trim() })} role="search" gap="xs">
      <TextInput
        name="q"
        label={label}
        description={hint}
        defaultValue={params.get('q') ?? ''}
        key={params.get('q') ?? ''}
        leftSection={<IconSearch size={16} />}
        autoComplete="off"
        maxLength={254}
        required
        style={{ flex: '1 1 16rem' }}
      />
      <Button type="submit">{t('operate.common.search')}</Button>
    </FormLine>
  );
}
