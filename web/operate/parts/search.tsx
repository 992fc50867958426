import { Button, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { LIMITS } from '#contract/limits.ts';
import { FormLine } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';

/** A search whose text is in the URL, so that "back" restores it. */
export function useSearched(): string {
  return useSearchParams()[0].get('q')?.trim() ?? '';
}

/** The search field for an id, e-mail address or name. */
export function SearchField({ label, hint }: { label: string; hint: string }) {
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

/** Says that a search may have more results than it shows. */
export function MoreFound({ count }: { count: number }) {
  const t = useTexts();
  if (count < LIMITS.operatorSearchResults) return;
  return <Text c="dimmed">{t('operate.common.firstOnly', { count: LIMITS.operatorSearchResults })}</Text>;
}
