import { Button, Stack } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Avatar as PlainAvatar } from '../../ui/parts/avatar.tsx';
import { useTexts } from '../../ui/texts.ts';
import { askFor, useLoading } from './loading.ts';

type AvatarProps = ComponentProps<typeof PlainAvatar> & {
  /** Who set the picture, if not the person shown. */
  from?: string | undefined;
};

/** An avatar in the chat: a picture on another server follows the same loading rule as other media of who set it. */
export function Avatar({ from, ...avatar }: AvatarProps) {
  const loading = useLoading(avatar.pictureUrl, from ?? avatar.seed);
  return <PlainAvatar {...avatar} pictureUrl={loading === 'now' ? avatar.pictureUrl : undefined} />;
}

/** The avatar in the details, with a button for a picture that did not load automatically. */
export function LargeAvatar(props: AvatarProps) {
  const t = useTexts();
  const { pictureUrl, from, seed } = props;
  const isWithheld = useLoading(pictureUrl, from ?? seed) === 'on-click';
  return (
    <Stack align="center" gap={4}>
      <Avatar {...props} />
      {isWithheld && pictureUrl && (
        <Button variant="subtle" size="compact-xs" onClick={() => askFor(pictureUrl)}>
          {t('chat.media.loadPicture')}
        </Button>
      )}
    </Stack>
  );
}
