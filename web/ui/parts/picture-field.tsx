import { Button, FileButton, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { upload } from '../media.ts';
import { useTexts } from '../texts.ts';
import { Avatar } from './avatar.tsx';
import { useAction } from './change.ts';
import { Dimmed } from './dimmed.tsx';

const PICTURES = 'image/jpeg,image/png,image/webp,image/gif';

/** A picture of an account, or with texts of its own of something else: uploaded as soon as it is chosen, previewed, removable. */
export function PictureField({
  name,
  seed,
  pictureUrl,
  preview = <Avatar name={name} seed={seed} pictureUrl={pictureUrl} size={64} />,
  texts,
  onChange,
}: {
  name: string;
  seed?: string | undefined;
  pictureUrl: string | undefined;
  preview?: ReactNode;
  texts?: { choose: string; remove: string; hint: string };
  onChange: (pictureUrl: string | null) => unknown;
}) {
  const t = useTexts();
  const add = useAction(async (file: File) => onChange((await upload(file, 'image')).url));
  return (
    <Group wrap="nowrap">
      {preview}
      <Stack gap={4}>
        <Group gap="xs">
          <FileButton accept={PICTURES} onChange={(file) => file && add.mutate(file)}>
            {(props) => (
              <Button {...props} variant="default" size="compact-sm" loading={add.isPending}>
                {texts?.choose ?? t('ui.account.changePicture')}
              </Button>
            )}
          </FileButton>
          {pictureUrl && (
            <Button variant="subtle" size="compact-sm" onClick={() => onChange(null)}>
              {texts?.remove ?? t('ui.account.removePicture')}
            </Button>
          )}
        </Group>
        <Dimmed size="xs">{texts?.hint ?? t('ui.account.pictureLead')}</Dimmed>
      </Stack>
    </Group>
  );
}
