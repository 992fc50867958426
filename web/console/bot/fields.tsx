import { ActionIcon, Button, Group, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { BotCommand } from '#contract/bots.ts';
import { LIMITS } from '#contract/limits.ts';
import { ApiError } from '../../ui/api.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { describeError, faultOf } from '../../ui/parts/faults.tsx';
import { codePoints } from '../../ui/parts/length-hint.tsx';
import { useTexts } from '../../ui/texts.ts';
import { usernamesQuery } from '../application/queries.ts';

const TYPING_PAUSE_MS = 250;

/**
 * A bot's username (contract §2, Bot); capitals are converted while typing. What is wrong with it, or that it is free, is
 * said after a pause, with free ones like it.
 */
export function UsernameInput({
  value,
  onChange,
  error,
  ...input
}: Omit<TextInputProps, 'value' | 'onChange'> & { value: string; onChange: (username: string) => void }) {
  const t = useTexts();
  const [typed] = useDebouncedValue(value, TYPING_PAUSE_MS);
  const checked = useQuery(usernamesQuery(typed)).data;
  const { fault, suggestions = [] } = (typed === value && checked) || {};
  const values = {
    username: value,
    least: LIMITS.botUsernameMinLength,
    limit: LIMITS.botUsernameMaxLength,
  };
  return (
    <Stack gap={6}>
      <TextInput
        {...input}
        label={t('console.bot.username')}
        description={t('console.bot.usernameHint')}
        error={fault ? t(`console.usernameFault.${fault}`, values) : error}
        leftSection="@"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value.toLowerCase())}
        maxLength={LIMITS.botUsernameMaxLength}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        required
      />
      <Group gap="xs" role="status" mih={22}>
        {typed === value && checked && !fault && (
          <>
            <IconCheck size={16} aria-hidden="true" color="var(--mantine-color-teal-text)" />
            <Dimmed>{t('console.bot.usernameFree', { username: value })}</Dimmed>
          </>
        )}
        {fault && suggestions.length > 0 && (
          <>
            <Dimmed>{t('console.bot.usernameSuggestions')}</Dimmed>
            {suggestions.map((username) => (
              <Button
                key={username}
                size="compact-sm"
                variant="default"
                maw="100%"
                onClick={() => onChange(username)}
              >
                @{username}
              </Button>
            ))}
          </>
        )}
      </Group>
    </Stack>
  );
}

/** The reason for which the server refused the username of a new bot. */
export function usernameError(error: unknown): string | undefined {
  const isTaken = error instanceof ApiError && error.reason === 'bot.username-taken';
  return isTaken ? describeError(error) : faultOf(error, 'username', 'bot.username');
}

const NAME = /^[a-z0-9_]{1,32}$/;

/** A row that nobody has filled in. */
export function isEmpty({ command, description }: BotCommand): boolean {
  return command === '' && description === '';
}

export function isGoodCommand({ command, description }: BotCommand): boolean {
  return NAME.test(command) && codePoints(description) <= LIMITS.botCommandDescriptionLength;
}

/** The commands as rows of name and description; invalid values are marked while typing. */
export function CommandsEditor({
  commands,
  onChange,
}: {
  commands: BotCommand[];
  onChange: (commands: BotCommand[]) => void;
}) {
  const t = useTexts();
  const change = (index: number, part: Partial<BotCommand>) =>
    onChange(commands.map((one, i) => (i === index ? { ...one, ...part } : one)));
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <div>
          <Text size="sm" fw={600}>
            {t('console.bot.commands')}
          </Text>
          <Dimmed size="xs">{t('console.bot.commandsHint')}</Dimmed>
        </div>
        <Dimmed size="xs">
          {t('console.bot.commandsUsed', { count: commands.length, limit: LIMITS.botCommands })}
        </Dimmed>
      </Group>
      {commands.map((one, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified only by its position.
        <Group key={i} wrap="nowrap" align="flex-start" gap="xs">
          <TextInput
            w={150}
            leftSection="/"
            aria-label={t('console.bot.command', { number: i + 1 })}
            value={one.command}
            onChange={({ currentTarget }) => change(i, { command: currentTarget.value })}
            error={!isEmpty(one) && !NAME.test(one.command) && t('console.bot.badCommand')}
            autoCapitalize="none"
            spellCheck={false}
          />
          <TextInput
            flex={1}
            aria-label={t('console.bot.commandDescription', { number: i + 1 })}
            value={one.description}
            onChange={({ currentTarget }) => change(i, { description: currentTarget.value })}
            maxLength={LIMITS.botCommandDescriptionLength}
          />
          <ActionIcon
            mt={4}
            aria-label={t('console.bot.removeCommand', { number: i + 1 })}
            onClick={() => onChange(commands.filter((_, other) => other !== i))}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        w="fit-content"
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={16} />}
        disabled={commands.length >= LIMITS.botCommands}
        onClick={() => onChange([...commands, { command: '', description: '' }])}
      >
        {t('console.bot.addCommand')}
      </Button>
    </Stack>
  );
}
