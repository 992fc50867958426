import { Alert, Button, Group, NavLink, Paper, Stack, Text, TextInput } from '@mantine/core';
import { IconLink, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Profile } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { ApiError } from '../../ui/api.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Fault } from '../../ui/parts/faults.tsx';
import { FormLine } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Avatar, LargeAvatar } from '../media/avatar.tsx';
import { outbox } from '../outbox/outbox.ts';
import { Page } from '../parts/page.tsx';
import { matching } from './filter.ts';
import { avatarOf } from './names.ts';
import { botQuery, managementBotQuery } from './queries.ts';
import { useKnown } from './use-conversation.ts';

/** The start parameter of a link to a bot. */
const PARAMETER = /^[\w-]{1,64}$/;

/**
 * Begins a message to somebody known, by name, or to a person or bot by exact username, which is in the URL. A link to a bot may
 * have a `start` parameter, which the person's first message passes on.
 */
export function Component() {
  const t = useTexts();
  const [search, setSearch] = useSearchParams();
  const [typed, setTyped] = useState(search.get('username') ?? '');
  const username = search.get('username') ?? '';
  const parameter = PARAMETER.exec(search.get('start') ?? '')?.[0];
  const bot = useQuery({ ...botQuery(username), enabled: username !== '' });
  const { data: suggested } = useQuery(managementBotQuery);
  const isMissing = bot.error instanceof ApiError && bot.error.status === 404;
  return (
    <Page title={t('chat.bot.title')} lead={t('chat.bot.lead')}>
      <Stack>
        <FormLine
          onSubmit={(fields) => {
            const typed = String(fields.get('username'));
            setSearch({ username: typed.trim().replace(/^@/, '').toLowerCase() }, { replace: true });
          }}
          align="flex-start"
          wrap="nowrap"
        >
          <TextInput
            name="username"
            aria-label={t('chat.bot.username')}
            placeholder={t('chat.bot.username')}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            maxLength={LIMITS.botUsernameMaxLength + 1}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus
            flex={1}
          />
          <Button type="submit" leftSection={<IconSearch size={18} />} loading={bot.isFetching}>
            {t('chat.bot.find')}
          </Button>
        </FormLine>
        <div role="status" className={bot.data ? undefined : 'visually-hidden'}>
          {bot.data && <Found bot={bot.data} parameter={parameter} />}
        </div>
        {isMissing && !bot.isFetching && (
          <Alert color="gray">
            {username.endsWith('bot')
              ? t('chat.bot.noBot', { username })
              : t('chat.bot.nobody', { username })}
          </Alert>
        )}
        {bot.isError && !isMissing && <Fault error={bot.error} retry={() => bot.refetch()} />}
        {username === '' && <Known typed={typed} />}
        {username === '' && suggested && (
          <>
            <Text size="sm">{t('chat.bot.forExample')}</Text>
            <Found bot={suggested} />
          </>
        )}
        <NavLink
          component={Link}
          to="/settings/invite"
          leftSection={<IconLink size={20} />}
          label={t('chat.conversation.invitePeople')}
          description={t('chat.conversation.inviteText')}
        />
      </Stack>
    </Page>
  );
}

/** Those with whom the person has a conversation. */
function Known({ typed }: { typed: string }) {
  const { known = [] } = useKnown().data ?? {};
  const found = typed.trim() === '' ? known : matching(known, typed, (one) => avatarOf(one).name);
  return (
    <div>
      {found.map((conversation) => {
        const { name, ...avatar } = avatarOf(conversation);
        return (
          <NavLink
            key={conversation.conversationId}
            component={Link}
            to={`/c/${conversation.conversationId}`}
            leftSection={<Avatar name={name} {...avatar} size={36} />}
            label={name}
          />
        );
      })}
    </div>
  );
}

function Found({ bot, parameter }: { bot: Profile; parameter?: string | undefined }) {
  const t = useTexts();
  const { conversationId, userId, username, isBot } = bot;
  const content = isBot && parameter !== undefined ? `/start ${parameter}` : undefined;
  const sendStart = () => {
    if (content === undefined) return;
    outbox.add({ conversationId, target: { to: userId }, content: { type: 'text', content } });
  };
  const does = isBot ? t('chat.bot.write') : t('chat.bot.writeToPerson');
  return (
    <Paper withBorder p="lg" radius="md">
      <Group wrap="nowrap" align="flex-start">
        <LargeAvatar name={bot.name} seed={bot.userId} pictureUrl={bot.pictureUrl} size={56} />
        <Stack gap={4} flex={1} miw={0}>
          <Text fw={650}>{bot.name}</Text>
          <Dimmed>@{username}</Dimmed>
          {bot.description && <Text size="sm">{bot.description}</Text>}
          {content !== undefined && <Dimmed>{t('chat.bot.sends', { text: content })}</Dimmed>}
          <Button
            component={Link}
            to={`/c/${conversationId}?bot=${username}`}
            onClick={sendStart}
            mt="xs"
            w="fit-content"
          >
            {content === undefined ? does : t('chat.bot.start')}
          </Button>
        </Stack>
      </Group>
    </Paper>
  );
}
