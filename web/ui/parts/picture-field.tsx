import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { upload } from '../media.ts';
import { Avatar } from '../parts/avatar.tsx';
import { showError } from '../parts/faults.tsx';
import { useTexts } from '../texts.ts';

const PICTURES = 'image/jpeg,image/png,image/webp,image/gif';

/** The account's picture: uploaded as soon as it is chosen, previewed, removable. */
export function PictureField({
  name,
  seed,
  pictureUrl,
  onChange,
}: {
  name: string;
  seed: string;
  pictureUrl: string | undefined;
  onChange: (pictureUrl: string | null) => Promise<unknown>;
}) {
  const t = useTexts();
  const choose = useMutation({
    mutationFn: async (file: File) => onChange((await upload(file, 'image')).url),
    onError: showError,
  });
  return (
    <Group wrap="nowrap">
      <Avatar name={name} seed={seed} pictureUrl={pictureUrl} size={64} />
      <Stack gap={4}>
        <Group gap="xs">
          <FileButton accept={PICTURES} onChange={(file) => file && choose.mutate(file)}>
            {(props) => (
              <Button {...props} variant="default" size="compact-sm" loading={choose.isPending}>
                {t('ui.account.changePicture')}
              </Button>
            )}
          </FileButton>
          {pictureUrl && (
            <Button variant="subtle" size="compact-sm" onClick={() => onChange(null)}>
              {t('ui.account.removePicture')}
            </Button>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {t('ui.account.pictureLead')}
        </Text>
      </Stack>
    </Group>
  );
}
