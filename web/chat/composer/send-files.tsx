import { ActionIcon, Alert, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { IconFile, IconMusic, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { FormDialog } from '../../ui/parts/dialog.tsx';
import { codePoints, LengthHint } from '../../ui/parts/length-hint.tsx';
import { useTexts } from '../../ui/texts.ts';
import { exceededLimit, type FileForm, takesCaption } from '../media/forms.ts';
import { dimensionsOf } from '../media/poster.ts';
import { megabytes } from '../media/size.ts';
import { useObjectUrl } from '../outbox/files.ts';
import { type ChosenFile, type FileToSend, formsOfChosen, type SendingForm, toSend } from './album.ts';
import classes from './send-files.module.css';

/** Preview of files, with their form and a shared caption. They are uploaded only once sent. */
export default function SendFiles({
  files: given,
  onFiles,
  onSend,
}: {
  files: ChosenFile[];
  onFiles: (files: ChosenFile[]) => void;
  onSend: (files: FileToSend[]) => void;
}) {
  const t = useTexts();
  const [unreadable, setUnreadable] = useState<readonly string[]>([]);
  const files = given.map((one) => (unreadable.includes(one.key) ? { ...one, isUnreadable: true } : one));
  const [chosenForm, setForm] = useState<SendingForm>();
  const [caption, setCaption] = useState('');
  const choices = choicesOf(files);
  const form = choices.find((one) => one === (chosenForm ?? files[0]?.preferred)) ?? choices[0] ?? 'doc';
  const sent = toSend(files, form, caption.trim());
  const isCaptioned = sent.some(({ content }) => takesCaption(content.type as FileForm));
  const isTooLong = isCaptioned && codePoints(caption) > LIMITS.captionLength;
  const tooLarge = sent.find(({ file, content }) => exceededLimit(file, content.type as FileForm));
  const empty = files.find(({ file }) => file.size === 0);
  const unshown = files.find(isUnshown);
  const maySend = !tooLarge && !empty && !isTooLong;
  const labels: Record<SendingForm, string> = {
    media: t('chat.composer.asMedia'),
    image: t('chat.composer.asPicture'),
    gif: t('chat.composer.asGif'),
    sticker: t('chat.composer.asSticker'),
    video: t('chat.composer.asVideo'),
    audio: t('chat.composer.asAudio'),
    doc: files.length > 1 ? t('chat.composer.asDocuments') : t('chat.composer.asDocument'),
  };
  const [isMeasuring, setMeasuring] = useState(false);
  const measureAndSend = async (dialog: HTMLFormElement) => {
    setMeasuring(true);
    const measured = await Promise.all(sent.map(withDimensions));
    if (dialog.isConnected) onSend(measured);
  };
  const close = () => onFiles([]);
  return (
    <FormDialog
      onClose={close}
      title={
        files.length > 1 ? t('chat.composer.addFiles', { count: files.length }) : t('chat.composer.addFile')
      }
      submit={t('chat.composer.send')}
      disabled={!maySend}
      onSubmit={(_, dialog) => maySend && !isMeasuring && measureAndSend(dialog)}
    >
      <ul className={classes.files} data-many={files.length > 1 || undefined}>
        {sent.map(({ key, file, content }) => (
          <li key={key} data-fault={exceededLimit(file, content.type as FileForm) ? true : undefined}>
            <Preview
              file={file}
              form={content.type as FileForm}
              onUnreadable={() => setUnreadable((keys) => [...keys, key])}
            />
            {files.length > 1 && (
              <ActionIcon
                pos="absolute"
                top={4}
                right={4}
                variant="filled"
                color="dark"
                radius="xl"
                size="sm"
                aria-label={t('chat.composer.removeFile', { name: file.name })}
                onClick={() => onFiles(files.filter((one) => one.key !== key))}
              >
                <IconX size={14} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {choices.length > 1 && (
        <SegmentedControl
          aria-label={t('chat.composer.kind')}
          value={form}
          onChange={(value) => setForm(value as SendingForm)}
          data={choices.map((value) => ({ value, label: labels[value] }))}
        />
      )}
      {isCaptioned && (
        <Textarea
          label={t('chat.composer.caption')}
          value={caption}
          onChange={(event) => setCaption(event.currentTarget.value)}
          description={caption && <LengthHint text={caption} limit={LIMITS.captionLength} />}
          error={isTooLong}
          maxRows={5}
          data-autofocus
        />
      )}
      {unshown && !empty && (
        <Alert color="yellow">{t('chat.composer.unshown', { name: unshown.file.name })}</Alert>
      )}
      {empty && (
        <Alert color="red" role="alert">
          {t('chat.composer.empty', { name: empty.file.name })}
        </Alert>
      )}
      {tooLarge && (
        <Alert color="red" role="alert">
          {t('chat.composer.tooLarge', {
            name: tooLarge.file.name,
            size: megabytes(tooLarge.file.size),
            limit: megabytes(exceededLimit(tooLarge.file, tooLarge.content.type as FileForm) ?? 0),
          })}
        </Alert>
      )}
    </FormDialog>
  );
}

/** The choices: for one file its forms; for several, whether pictures and videos are sent as media or as documents. */
function choicesOf(files: ChosenFile[]): SendingForm[] {
  const [first] = files;
  if (files.length === 1 && first) return formsOfChosen(first);
  return files.some((one) => formsOfChosen(one)[0] !== 'doc') ? ['media', 'doc'] : ['doc'];
}

/** Whether it is a picture, video or sound that is a document all the same. */
function isUnshown(one: ChosenFile): boolean {
  return /^(image|video|audio)\//.test(one.file.type) && formsOfChosen(one)[0] === 'doc';
}

/** Their width and height go with pictures and videos, so that loading them does not shift a thread. */
async function withDimensions(one: FileToSend): Promise<FileToSend> {
  const { file, content } = one;
  const dimensions = await dimensionsOf(file, content.type as FileForm);
  const fileDetails = { ...content.fileDetails, ...dimensions };
  return dimensions ? { ...one, content: { ...content, fileDetails } } : one;
}

function Preview({ file, form, onUnreadable }: { file: File; form: FileForm; onUnreadable: () => void }) {
  const address = useObjectUrl(file);
  const isPicture = form !== 'doc' && file.type.startsWith('image/');
  const Icon = form === 'audio' ? IconMusic : IconFile;
  return (
    <Stack component="figure" gap={4} align="center" justify="center" h="100%" m={0}>
      {isPicture && address && (
        <img src={address} alt="" className={classes.picture} data-form={form} onError={onUnreadable} />
      )}
      {form === 'video' && address && (
        // biome-ignore lint/a11y/useMediaCaption: people's uploads have no captions.
        <video
          src={address}
          className={classes.picture}
          controls
          aria-label={file.name}
          onError={onUnreadable}
          // Of some videos, browsers can play only the sound.
          onLoadedMetadata={({ currentTarget }) => currentTarget.videoWidth === 0 && onUnreadable()}
        />
      )}
      {!isPicture && form !== 'video' && <Icon size={32} stroke={1.5} aria-hidden="true" />}
      <Text component="figcaption" size="sm" c="dimmed" maw="100%" truncate>
        {file.name}
      </Text>
    </Stack>
  );
}
