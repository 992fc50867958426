import { Combobox, Text, TextInput, useCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useMatch, useNavigate } from 'react-router';
import { historySettled } from '../ui/parts/use-back-closes.ts';
import { useTexts } from '../ui/texts.ts';
import { homeQuery } from './application/queries.ts';
import { SCREENS } from './application/screens.ts';

interface Place {
  label: string;
  /** Where it belongs: an application, or the documentation. */
  group: string;
  to: string;
}

const SHOWN = 12;

/** Pages of the guide, which is in English. */
const GUIDES = {
  quickstart: 'Quickstart',
  webhooks: 'Webhooks',
  events: 'Polling',
  recipes: 'Recipes',
  sdk: 'SDK',
  cli: 'Command line',
  oauth: 'OAuth 2.0',
  openid: 'OpenID Connect',
  mcp: 'MCP',
  errors: 'Errors',
  limits: 'Limits',
  testing: 'Testing your bot',
};

/** Places by a few letters of their names. */
export default function Search({ onChosen }: { onChosen: () => void }) {
  const t = useTexts();
  const navigate = useNavigate();
  const combobox = useCombobox({ opened: true });
  const [wanted, setWanted] = useState('');
  const words = wanted.toLowerCase().split(/\s+/);
  const found = usePlaces()
    .filter(({ label, group }) => words.every((word) => `${group} ${label}`.toLowerCase().includes(word)))
    .slice(0, SHOWN);
  const first = found[0]?.to;
  const choose = async (to: string) => {
    flushSync(onChosen);
    await historySettled();
    if (to.startsWith('/docs/')) location.assign(to);
    else await navigate(to);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={(to) => void choose(to)}>
      <Combobox.EventsTarget>
        <TextInput
          aria-label={t('console.palette.title')}
          placeholder={t('console.palette.hint')}
          leftSection={<IconSearch size={16} />}
          value={wanted}
          onChange={({ currentTarget }) => {
            setWanted(currentTarget.value);
            combobox.resetSelectedOption();
          }}
          onKeyDown={({ key }) => {
            // Until an arrow key has chosen another one, it is the first.
            if (key === 'Enter' && first !== undefined && combobox.getSelectedOptionIndex() < 0)
              void choose(first);
          }}
          // At once: people go on typing.
          autoFocus
          data-autofocus
        />
      </Combobox.EventsTarget>
      <Combobox.Options mt="sm" aria-label={t('console.palette.title')}>
        {found.length === 0 && <Combobox.Empty>{t('console.palette.none')}</Combobox.Empty>}
        {found.map(({ label, group, to }) => (
          <Combobox.Option key={to} value={to} active={to === first}>
            {label}{' '}
            <Text span size="sm">
              {group}
            </Text>
          </Combobox.Option>
        ))}
      </Combobox.Options>
    </Combobox>
  );
}

/** The screens of the open application first, then the applications, and the pages that are always there. */
function usePlaces(): Place[] {
  const t = useTexts();
  const { data: home } = useQuery(homeQuery);
  const { appId } = useMatch('/applications/:appId/*')?.params ?? {};
  const applications = home?.applications ?? [];
  const open = applications.find((one) => one.appId === appId);
  const ofConsole = t('console.shell.console');
  const ofDocs = t('console.shell.docs');
  return [
    ...(open
      ? SCREENS.map(({ path, key }) => ({
          label: t(`console.application.${key}`),
          group: open.name,
          to: `/applications/${open.appId}${path && `/${path}`}`,
        }))
      : []),
    ...applications
      .filter((one) => one !== open)
      .map((one) => ({
        label: one.name,
        group: one.bot ? `@${one.bot.username}` : '',
        to: `/applications/${one.appId}`,
      })),
    { label: t('console.home.title'), group: ofConsole, to: '/' },
    { label: t('console.home.create'), group: ofConsole, to: '/new' },
    { label: t('ui.session.account'), group: ofConsole, to: '/account' },
    { label: t('console.shell.docs'), group: '', to: '/docs/' },
    { label: t('console.shell.reference'), group: ofDocs, to: '/docs/reference/' },
    ...Object.entries(GUIDES).map(([page, label]) => ({ label, group: ofDocs, to: `/docs/guide/${page}` })),
  ];
}
