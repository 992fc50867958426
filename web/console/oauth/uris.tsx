import { ActionIcon, Button, Code, Group, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { LIMITS } from '#contract/limits.ts';
import { FormLine } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';

/** Registered URIs, each with a button that removes it, and the form for another one. */
export function Uris({
  uris,
  onRemove,
  ...form
}: Omit<Parameters<typeof UriForm>[0], 'submit'> & {
  uris: readonly string[];
  onRemove: (uri: string) => void;
}) {
  const t = useTexts();
  return (
    <>
      {uris.length > 0 && (
        <Stack gap={4} component="ul">
          {uris.map((uri) => (
            <Group key={uri} component="li" wrap="nowrap" gap="xs">
              <Code style={{ overflowWrap: 'anywhere' }}>{uri}</Code>
              <ActionIcon aria-label={t('console.oauth.removeUri', { uri })} onClick={() => onRemove(uri)}>
                <IconTrash size={18} />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
      )}
      <UriForm {...form} required submit={t('ui.common.add')} />
    </>
  );
}

/** The field for a URI beside its button. */
export function UriForm({
  submit,
  isPending,
  onSubmit,
  ...field
}: Omit<TextInputProps, 'onSubmit'> & {
  submit: string;
  isPending: boolean;
  onSubmit: (uri: string, after: { onSuccess: () => void }) => void;
}) {
  return (
    <FormLine
      onSubmit={(fields, form) => onSubmit(String(fields.get('uri')), { onSuccess: () => form.reset() })}
      wrap="nowrap"
    >
      <TextInput
        name="uri"
        maxLength={LIMITS.urlLength}
        inputMode="url"
        autoCapitalize="none"
        flex={1}
        maw={520}
        {...field}
      />
      <Button type="submit" variant="default" loading={isPending}>
        {submit}
      </Button>
    </FormLine>
  );
}
