import { Card, Grid, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Bot } from '#contract/bots.ts';
import { LIMITS } from '#contract/limits.ts';
import { QrCode } from '../../ui/account/qr-code.tsx';
import { Avatar } from '../../ui/parts/avatar.tsx';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Form, Submit } from '../../ui/parts/form.tsx';
import { codePoints, LengthHint } from '../../ui/parts/length-hint.tsx';
import { PictureField } from '../../ui/parts/picture-field.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ExtensionSwitch } from '../application/extension-switch.tsx';
import { DeveloperOnly, useApplication } from '../application/layout.tsx';
import { botQuery, useChange } from '../application/queries.ts';
import { CommandsEditor, isGoodCommand, UsernameInput } from './fields.tsx';

/** The bot's profile beside a preview of how people see it. */
export function Component() {
  const t = useTexts();
  const { appId } = useApplication();
  return (
    <Screen title={t('console.application.bot')} lead={t('console.bot.lead')} size="lg">
      <QueryView query={useQuery(botQuery(appId))}>
        {(found) => (found ? <Profile key={appId} bot={found} /> : <Creation />)}
      </QueryView>
    </Screen>
  );
}

function Creation() {
  const t = useTexts();
  const [username, setUsername] = useState('');
  const create = useChange('POST /applications/:appId/bot', { done: t('console.bot.created') });
  return (
    <Section title={t('console.bot.createTitle')} lead={t('console.bot.createText')}>
      <DeveloperOnly>
        <Form onSubmit={() => create.mutate({ body: { username } })} align="flex-start" maw={420}>
          <UsernameInput value={username} onChange={setUsername} w="100%" />
          <Submit of={create}>{t('console.bot.create')}</Submit>
        </Form>
      </DeveloperOnly>
    </Section>
  );
}

function Profile({ bot }: { bot: Bot }) {
  const t = useTexts();
  const [description, setDescription] = useState(bot.description);
  const [commands, setCommands] = useState(bot.commands);
  const [plainText, setPlainText] = useState(bot.plainText);
  const save = useChange('PATCH /applications/:appId/bot', { done: t('ui.common.saved') });
  const setPicture = useChange('PATCH /applications/:appId/bot', { done: t('ui.common.saved') });
  const isGood =
    codePoints(description) <= LIMITS.botDescriptionLength &&
    commands.every(isGoodCommand) &&
    new Set(commands.map(({ command }) => command)).size === commands.length;
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <DeveloperOnly>
          <Form onSubmit={() => save.mutate({ body: { description, commands, plainText } })}>
            <PictureField
              name={bot.name}
              seed={bot.userId}
              pictureUrl={bot.pictureUrl}
              onChange={(pictureUrl) =>
                setPicture.mutateAsync({ body: { pictureUrl } }).catch(() => undefined)
              }
            />
            <Textarea
              label={t('console.bot.description')}
              description={t('console.bot.descriptionHint')}
              value={description}
              onChange={({ currentTarget }) => setDescription(currentTarget.value)}
              minRows={3}
            />
            <LengthHint text={description} limit={LIMITS.botDescriptionLength} />
            <CommandsEditor commands={commands} onChange={setCommands} />
            <Switch
              label={t('console.bot.plainText')}
              description={t('console.bot.plainTextHint')}
              checked={plainText}
              onChange={({ currentTarget }) => setPlainText(currentTarget.checked)}
            />
            <Submit of={save} w="fit-content" disabled={!isGood}>
              {t('ui.common.save')}
            </Submit>
          </Form>
        </DeveloperOnly>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Stack gap="xl">
          <Preview bot={{ ...bot, description, commands }} />
          <BotLink username={bot.username} />
          <Section title={t('console.bot.groups')}>
            <ExtensionSwitch
              extension="quiet_in_groups"
              label={t('console.bot.quiet')}
              hint={t('console.bot.quietHint')}
            />
          </Section>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

/** The link that opens a chat with the bot; a parameter arrives with the person's first message. */
function BotLink({ username }: { username: string }) {
  const t = useTexts();
  const [start, setStart] = useState('');
  const query = new URLSearchParams({ username, ...(start && { start }) });
  const link = `${location.origin}/new/bot?${query}`;
  return (
    <Section title={t('console.bot.link')} lead={t('console.bot.linkLead')}>
      <Stack gap="sm">
        <CopyField label={t('console.bot.link')} value={link} />
        <TextInput
          label={t('console.bot.startParameter')}
          description={t('console.bot.startParameterHint')}
          value={start}
          onChange={({ currentTarget }) => setStart(currentTarget.value.replace(/[^\w-]/g, '').slice(0, 64))}
        />
        <QrCode value={link} label={t('console.bot.qr')} />
      </Stack>
    </Section>
  );
}

/** The profile as the chat shows it. */
function Preview({ bot }: { bot: Bot }) {
  const t = useTexts();
  return (
    <Section title={t('console.bot.preview')} lead={t('console.bot.nameFollows')}>
      <Card withBorder>
        <Stack gap="sm">
          <Group wrap="nowrap">
            <Avatar name={bot.name} seed={bot.userId} pictureUrl={bot.pictureUrl} size={48} />
            <div style={{ minWidth: 0 }}>
              <Text fw={600} truncate>
                {bot.name}
              </Text>
              <Dimmed>@{bot.username}</Dimmed>
            </div>
          </Group>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }} {...(!bot.description && { c: 'dimmed' })}>
            {bot.description || t('console.bot.noDescription')}
          </Text>
          {bot.commands.length > 0 && (
            <Stack gap={4}>
              {bot.commands.map(({ command, description }, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two rows may be equal while they are being edited.
                <Text size="sm" key={i}>
                  <Text span ff="monospace" c="var(--mantine-color-anchor)">
                    /{command}
                  </Text>{' '}
                  {description}
                </Text>
              ))}
            </Stack>
          )}
        </Stack>
      </Card>
    </Section>
  );
}
