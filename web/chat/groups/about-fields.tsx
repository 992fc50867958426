import { Textarea, TextInput } from '@mantine/core';
import { LIMITS } from '#contract/limits.ts';
import { codePoints, LengthHint } from '../../ui/parts/length-hint.tsx';
import { useTexts } from '../../ui/texts.ts';

interface About {
  name: string;
  description: string;
}

/** The name of a group, and what it is for. */
export function AboutFields({
  about: { name, description },
  onChange,
  autoFocus = false,
}: {
  about: About;
  onChange: (part: Partial<About>) => void;
  autoFocus?: boolean;
}) {
  const t = useTexts();
  const over = codePoints(name) - LIMITS.groupNameLength;
  return (
    <>
      <TextInput
        label={t('chat.group.name')}
        value={name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        error={over > 0 && t('ui.common.charactersTooMany', { over })}
        required
        autoFocus={autoFocus}
      />
      <Textarea
        label={t('chat.group.description')}
        description={<LengthHint text={description} limit={LIMITS.groupDescriptionLength} />}
        value={description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        minRows={2}
        maxRows={8}
      />
    </>
  );
}
