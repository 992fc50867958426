import { Button, Stack, Text, TextInput } from '@mantine/core';
import { LIMITS } from '#contract/limits.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { Form } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';
import { readDraft } from './draft.ts';
import { wizardTexts } from './texts.ts';

export function NameStep({ onDone }: { onDone: (name: string) => void }) {
  const t = { ...useTexts(commonTexts), ...useTexts(wizardTexts) };
  return (
    <Form onSubmit={(fields) => onDone(String(fields.get('name')))}>
      <Stack align="flex-start" maw={480} pt="md">
        <Text c="dimmed">{t.nameLead}</Text>
        <TextInput
          w="100%"
          name="name"
          label={t.name}
          defaultValue={readDraft().name}
          maxLength={LIMITS.applicationNameLength}
          pattern=".*\S.*"
          autoComplete="off"
          required
          autoFocus
        />
        <Button type="submit">{t.next}</Button>
      </Stack>
    </Form>
  );
}
