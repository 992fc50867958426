import { Button, Stack } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Face as ShownFace } from '../../ui/parts/face.tsx';
import { useTexts } from '../../ui/texts.ts';
import { askFor, useLoading } from './loading.ts';
import { mediaTexts } from './texts.ts';

type FaceProps = ComponentProps<typeof ShownFace> & {
  /** Who set the picture, where it is not whom it shows. */
  from?: string | undefined;
};

/** A face in the chat: a picture on another server loads where other media of who set it do. */
export function Face({ from, ...face }: FaceProps) {
  const loading = useLoading(face.pictureUrl, from ?? face.seed);
  return <ShownFace {...face} pictureUrl={loading === 'now' ? face.pictureUrl : undefined} />;
}

/** The face at the head of somebody's details, with the way to a picture that did not load by itself. */
export function LargeFace(props: FaceProps) {
  const t = useTexts(mediaTexts);
  const { pictureUrl, from, seed } = props;
  const isWithheld = useLoading(pictureUrl, from ?? seed) === 'on-click';
  return (
    <Stack align="center" gap={4}>
      <Face {...props} />
      {isWithheld && pictureUrl && (
        <Button variant="subtle" size="compact-xs" onClick={() => askFor(pictureUrl)}>
          {t.loadPicture}
        </Button>
      )}
    </Stack>
  );
}
