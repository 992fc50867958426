import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { upload } from '../../ui/media.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Avatar } from '../media/avatar.tsx';

const PICTURES = 'image/jpeg,image/png,image/webp,image/gif';

/** A group's photo: uploaded as soon as it is chosen, previewed, removable. */
export function PhotoField({
  name,
  seed,
  photoUrl,
  photoSetBy,
  onChange,
}: {
  name: string;
  seed?: string;
  photoUrl: string | undefined;
  photoSetBy?: string | undefined;
  onChange: (photoUrl: string | undefined) => void;
}) {
  const t = useTexts();
  const choose = useMutation({
    mutationFn: (file: File) => upload(file, 'image'),
    onSuccess: ({ url }) => onChange(url),
    onError: showError,
  });
  return (
    <Group wrap="nowrap">
      <Avatar
        name={name || '?'}
        {...(seed !== undefined && { seed })}
        pictureUrl={photoUrl}
        from={photoSetBy}
        size={64}
      />
      <Stack gap={4}>
        <Group gap="xs">
          <FileButton accept={PICTURES} onChange={(file) => file && choose.mutate(file)}>
            {(props) => (
              <Button {...props} variant="default" size="compact-sm" loading={choose.isPending}>
                {t('chat.group.choosePhoto')}
              </Button>
            )}
          </FileButton>
          {photoUrl && (
            <Button variant="subtle" size="compact-sm" onClick={() => onChange(undefined)}>
              {t('chat.group.removePhoto')}
            </Button>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {t('chat.group.photoHint')}
        </Text>
      </Stack>
    </Group>
  );
}
