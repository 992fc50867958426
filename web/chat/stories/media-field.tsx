import { Button, FileButton, Progress, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { upload } from '../../ui/media.ts';
import { useAction } from '../../ui/parts/change.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { useTexts } from '../../ui/texts.ts';
import { dimensionsOf, posterOf } from '../media/poster.ts';

const ACCEPTED = { image: 'image/jpeg,image/png,image/webp,image/gif', video: 'video/mp4,video/webm' };

/** The chosen file; `url` is empty until it is uploaded. */
export interface StoryMedia {
  url: string;
  thumbnailUrl?: string | undefined;
}

/** A picture or video: a file from the device, uploaded at once, or an https URL. */
export function MediaField({
  kind,
  url,
  onChange,
}: {
  kind: 'image' | 'video';
  url: string;
  onChange: (media: StoryMedia) => void;
}) {
  const t = useTexts();
  const [share, setShare] = useState(0);
  const [link, setLink] = useState('');
  const choose = useAction(
    async (file: File): Promise<StoryMedia> => {
      if (!(await dimensionsOf(file, kind))) throw new Error(t('chat.story.cannotRead'));
      const { url } = await upload(file, kind, { onProgress: setShare });
      return { url, thumbnailUrl: kind === 'video' ? await uploadPoster(file) : undefined };
    },
    {
      onSuccess: (media) => {
        setLink('');
        onChange(media);
      },
    },
  );
  const percent = Math.round(share * 100);
  return (
    <Stack>
      {url !== '' && <Preview kind={kind} url={url} />}
      <div>
        <FileButton accept={ACCEPTED[kind]} onChange={(file) => file && choose.mutate(file)}>
          {(props) => (
            <Button {...props} variant="default" loading={choose.isPending}>
              {kind === 'image' ? t('chat.story.chooseImage') : t('chat.story.chooseVideo')}
            </Button>
          )}
        </FileButton>
        <Dimmed size="xs" mt={4}>
          {kind === 'image' ? t('chat.story.imageHint') : t('chat.story.videoHint')}
        </Dimmed>
      </div>
      {choose.isPending && <Progress value={percent} aria-label={t('chat.story.uploading', { percent })} />}
      <TextInput
        type="url"
        label={t('chat.story.orLink')}
        description={t('chat.story.linkHint')}
        value={link}
        error={link !== '' && !isHttps(link) ? t('chat.story.badLink') : undefined}
        onChange={({ currentTarget: { value } }) => {
          setLink(value);
          onChange({ url: isHttps(value) ? value : '' });
        }}
      />
    </Stack>
  );
}

const PREVIEW = {
  maxWidth: '100%',
  maxHeight: '22rem',
  alignSelf: 'center',
  borderRadius: 'var(--mantine-radius-md)',
};

function Preview({ kind, url }: { kind: 'image' | 'video'; url: string }) {
  const t = useTexts();
  return kind === 'image' ? (
    <img style={PREVIEW} src={url} alt={t('chat.story.image')} referrerPolicy="no-referrer" />
  ) : (
    // biome-ignore lint/a11y/useMediaCaption: people's uploads have no captions.
    <video style={PREVIEW} src={url} aria-label={t('chat.story.video')} controls preload="metadata" />
  );
}

/** If the browser cannot make a still frame of a video, it is published without one. */
async function uploadPoster(file: File): Promise<string | undefined> {
  const poster = await posterOf(file).catch(() => undefined);
  return poster && (await upload(poster.picture, 'image')).url;
}

function isHttps(link: string): boolean {
  return URL.canParse(link) && new URL(link).protocol === 'https:';
}
