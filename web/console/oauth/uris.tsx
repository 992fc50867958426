import { ActionIcon, Button, Code, Group, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { LIMITS } from '#contract/limits.ts';
import { FormLine } from '../../ui/parts/form.tsx';

/** Registered URIs, each with a button that removes it. */
export function UriList({
  uris,
  removes,
  onRemove,
}: {
  uris: readonly string[];
  /** The name of the button. */
  removes: (uri: string) => string;
  onRemove: (uri: string) => void;
}) {
  return (
    <Stack gap={4} component="ul">
      {uris.map((uri) => (
        <Group key={uri} component="li" wrap="nowrap" gap="xs">
          <Code style={{ overflowWrap: 'anywhere' }}>{uri}</Code>
          <ActionIcon aria-label={removes(uri)} onClick={() => onRemove(uri)}>
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
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
