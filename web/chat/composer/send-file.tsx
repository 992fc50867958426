import { Alert, Progress, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Fault } from '../../ui/parts/faults.tsx';
import { CancelOr, Form } from '../../ui/parts/form.tsx';
import { codePoints, LengthHint } from '../../ui/parts/length-hint.tsx';
import { useTexts } from '../../ui/texts.ts';
import { locale } from '../../ui/times.ts';
import { exceededLimit, type FileForm, formsOf, isHeic, takesCaption } from '../media/forms.ts';
import { mediaLimitsQuery } from '../media/queries.ts';
import { type UploadState, useUpload } from '../media/use-upload.ts';
import type { Unsent } from '../outbox/store.ts';
import classes from './send-file.module.css';
import { composerTexts } from './texts.ts';

/** A file before it is sent: how it looks, as what it goes, its caption. It is uploaded meanwhile. */
export default function SendFile({
  file,
  preferred,
  hasBots,
  onSend,
  onClose,
}: {
  file: File;
  /** The form that was asked for, where the file can take it. */
  preferred: FileForm | undefined;
  /** Whether bots read along, who may not get the file. */
  hasBots: boolean;
  onSend: (content: Unsent['content']) => void;
  onClose: () => void;
}) {
  const t = useTexts(composerTexts);
  const forms = formsOf(file);
  const [form, setForm] = useState(forms.find((one) => one === preferred) ?? forms[0] ?? 'doc');
  const [caption, setCaption] = useState('');
  const { state, retry } = useUpload(file, form);
  const limits = useQuery(mediaLimitsQuery);
  const isTooLong = codePoints(caption) > LIMITS.captionLength;
  const labels: Record<FileForm, string> = {
    image: t.asPicture,
    gif: t.asGif,
    sticker: t.asSticker,
    video: t.asVideo,
    audio: t.asAudio,
    doc: t.asDocument,
  };
  return (
    <Dialog opened onClose={onClose} title={t.addFile} centered>
      <Form
        onSubmit={() => {
          if (state.step !== 'done' || isTooLong) return;
          const { step: _, ...urls } = state;
          const words = caption.trim();
          onSend({ type: form, ...urls, ...(words && takesCaption(form) && { caption: words }) });
        }}
      >
        <Stack>
          <Preview file={file} form={form} />
          {forms.length > 1 && (
            <SegmentedControl
              aria-label={t.kind}
              value={form}
              onChange={(value) => setForm(value as FileForm)}
              data={forms.map((value) => ({ value, label: labels[value] }))}
            />
          )}
          {takesCaption(form) && (
            <Textarea
              label={t.caption}
              value={caption}
              onChange={(event) => setCaption(event.currentTarget.value)}
              description={caption && <LengthHint text={caption} limit={LIMITS.captionLength} />}
              error={isTooLong}
              autosize
              maxRows={5}
              data-autofocus
            />
          )}
          {hasBots && limits.data?.isPublic === false && (
            <Alert color="yellow" variant="light">
              {t.notPublic}
            </Alert>
          )}
          {isHeic(file) && <Alert color="yellow">{t.heic}</Alert>}
          {state.step === 'too-large' ? (
            <Alert color="red" role="alert">
              {t.tooLarge(megabytes(file.size), megabytes(exceededLimit(file, form) ?? 0))}
            </Alert>
          ) : (
            <Progressing state={state} retry={retry} />
          )}
          <CancelOr onCancel={onClose} disabled={state.step !== 'done' || isTooLong}>
            {t.send}
          </CancelOr>
        </Stack>
      </Form>
    </Dialog>
  );
}

function megabytes(bytes: number): string {
  const rounded = Math.ceil((bytes / 1024 / 1024) * 10) / 10;
  return new Intl.NumberFormat(locale(), { style: 'unit', unit: 'megabyte' }).format(rounded);
}

function Preview({ file, form }: { file: File; form: FileForm }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  const isPicture = file.type.startsWith('image/');
  return (
    <figure className={classes.preview}>
      {isPicture && address && <img src={address} alt="" className={classes.picture} data-form={form} />}
      {form === 'video' && address && (
        // biome-ignore lint/a11y/useMediaCaption: what people send has no captions.
        <video src={address} className={classes.picture} controls />
      )}
      <Text component="figcaption" size="sm" c="dimmed" ta="center">
        {file.name}
      </Text>
    </figure>
  );
}

function Progressing({ state, retry }: { state: UploadState; retry: () => void }) {
  const t = useTexts(composerTexts);
  if (state.step === 'failed') {
    return <Fault error={state.isPoster ? new Error(t.noPoster) : state.error} retry={retry} />;
  }
  const percent = state.step === 'sending' ? Math.round(state.share * 100) : state.step === 'done' ? 100 : 0;
  const words =
    state.step === 'done' ? t.uploaded : state.step === 'poster' ? t.makingPoster : t.uploading(percent);
  return (
    <div>
      <Progress value={percent} aria-label={words} size="sm" />
      <Text size="xs" c="dimmed" mt={4} role="status">
        {words}
      </Text>
    </div>
  );
}
