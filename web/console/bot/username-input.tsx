import { TextInput, type TextInputProps } from '@mantine/core';
import { LIMITS } from '#contract/limits.ts';
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
