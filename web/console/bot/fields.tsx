import { ActionIcon, Button, Group, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { BotCommand } from '#contract/bots.ts';
import { LIMITS } from '#contract/limits.ts';
import { codePoints } from '../../ui/parts/length-hint.tsx';
import { useTexts } from '../../ui/texts.ts';

/** A bot's username with its rules (contract §2, Bot); capitals are converted while typing. */
export function UsernameInput({
  value,
  onChange,
  ...input
}: Omit<TextInputProps, 'value' | 'onChange'> & { value: string; onChange: (username: string) => void }) {
  const t = useTexts();
  return (
    <TextInput
      {...input}
      label={t('console.bot.username')}
      description={t('console.bot.usernameHint')}
      leftSection="@"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value.toLowerCase())}
      minLength={LIMITS.botUsernameMinLength}
      maxLength={LIMITS.botUsernameMaxLength}
      pattern="[a-z0-9_]*bot"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      required
    />
  );
}

const NAME = /^[a-z0-9_]{1,32}$/;

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
          <Text size="xs" c="dimmed">
            {t('console.bot.commandsHint')}
          </Text>
        </div>
        <Text size="xs" c="dimmed">
          {t('console.bot.commandsUsed', { count: commands.length, limit: LIMITS.botCommands })}
        </Text>
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
            error={one.command !== '' && !NAME.test(one.command) && t('console.bot.badCommand')}
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
            variant="subtle"
            color="gray"
            mt={4}
            aria-label={t('console.bot.removeCommand', { number: i + 1 })}
            onClick={() => onChange(commands.filter((_, other) => other !== i))}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      ))}
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={16} />}
          disabled={commands.length >= LIMITS.botCommands}
          onClick={() => onChange([...commands, { command: '', description: '' }])}
        >
          {t('console.bot.addCommand')}
        </Button>
      </div>
    </Stack>
  );
}
