import { Anchor, Button, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useFilters } from '../../ui/parts/filters.ts';
import { useTexts } from '../../ui/texts.ts';
import { avatarOf } from '../conversations/names.ts';
import { conversationQuery } from '../conversations/queries.ts';
import { Page } from '../parts/page.tsx';
import { SearchFilters } from './filters.tsx';
import { Found } from './found.tsx';
import { FILTERS, type SearchFilter } from './queries.ts';

/** The search waits for a pause in typing. */
const PAUSE_MS = 300;

/** Searches messages in all conversations, or in the one in the URL. */
export function Component() {
  const t = useTexts();
  const [search, choose] = useFilters();
  const of = (name: string) => search.get(name) ?? '';
  const conversationId = of('in');
  const { data: conversation } = useQuery({
    ...conversationQuery(conversationId),
    enabled: conversationId !== '',
  });
  const [words, setWords] = useState(of('words'));
  const searchFor = useDebouncedCallback((text: string) => choose('words', text), PAUSE_MS);
  const others = Object.fromEntries(FILTERS.map((name) => [name, of(name)]));
  const filter: SearchFilter = { words: of('words'), conversationId, ...others };
  const [isFiltering, setFiltering] = useState(FILTERS.some((name) => filter[name]));
  const name = conversation && avatarOf(conversation).name;
  return (
    <Page
      title={name ? t('chat.search.titleIn', { name }) : t('chat.search.title')}
      back={conversationId ? `/c/${conversationId}` : '/'}
    >
      <search>
        <TextInput
          type="search"
          label={t('chat.search.words')}
          leftSection={<IconSearch size={16} />}
          value={words}
          maxLength={200}
          data-autofocus
          autoFocus
          onChange={({ currentTarget: { value } }) => {
            setWords(value);
            searchFor(value);
          }}
        />
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          leftSection={<IconAdjustmentsHorizontal size={16} />}
          aria-expanded={isFiltering}
          onClick={() => setFiltering(!isFiltering)}
        >
          {t('chat.search.filters')}
        </Button>
        {isFiltering && <SearchFilters conversation={conversation} filter={filter} onChange={choose} />}
        {conversationId && (
          <Anchor
            component={Link}
            to={`/search?${new URLSearchParams({ words })}`}
            size="sm"
            mt="xs"
            display="block"
          >
            {t('chat.search.everywhere')}
          </Anchor>
        )}
      </search>
      <Found key={JSON.stringify(filter)} filter={filter} />
    </Page>
  );
}
