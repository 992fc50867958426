import { Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { FormDialog } from '../../ui/parts/dialog.tsx';
import { useTexts } from '../../ui/texts.ts';
import { type FileForm, takesCaption } from '../media/forms.ts';
import type { Unsent } from '../outbox/store.ts';

const FORMS: FileForm[] = ['image', 'gif', 'sticker', 'video', 'audio', 'doc'];

/** Sends a file hosted elsewhere, by its https URL. */
export default function SendLink({
  onSend,
  onClose,
}: {
  onSend: (content: Unsent['content']) => void;
  onClose: () => void;
}) {
  const t = useTexts();
  const [form, setForm] = useState<FileForm>('image');
  const [fileUrl, setFileUrl] = useState('');
  const [thumbnailUrl, setThumbnailUrl] = useState('');
  const [caption, setCaption] = useState('');
  const isReady = isAddress(fileUrl) && (form !== 'video' || isAddress(thumbnailUrl));
  return (
    <FormDialog
      onClose={onClose}
      title={t('chat.composer.link')}
      submit={t('chat.composer.send')}
      disabled={!isReady}
      onSubmit={() => {
        if (!isReady) return;
        onSend({
          type: form,
          fileUrl: fileUrl.trim(),
          ...(form === 'video' && { thumbnailUrl: thumbnailUrl.trim() }),
          ...(caption.trim() && takesCaption(form) && { caption: caption.trim() }),
        });
      }}
    >
      <Select
        label={t('chat.composer.linkKind')}
        value={form}
        onChange={(value) => setForm((value ?? 'image') as FileForm)}
        data={FORMS.map((value) => ({ value, label: t(`chat.conversation.${value}`) }))}
      />
      <TextInput
        type="url"
        label={t('chat.composer.linkLabel')}
        description={t('chat.composer.linkHint')}
        value={fileUrl}
        onChange={(event) => setFileUrl(event.currentTarget.value)}
        error={fileUrl !== '' && !isAddress(fileUrl) && t('chat.composer.linkFault')}
        maxLength={LIMITS.urlLength}
        required
        data-autofocus
      />
      {form === 'video' && (
        <TextInput
          type="url"
          label={t('chat.composer.posterLabel')}
          value={thumbnailUrl}
          onChange={(event) => setThumbnailUrl(event.currentTarget.value)}
          error={thumbnailUrl !== '' && !isAddress(thumbnailUrl) && t('chat.composer.linkFault')}
          maxLength={LIMITS.urlLength}
          required
        />
      )}
      {takesCaption(form) && (
        <Textarea
          label={t('chat.composer.caption')}
          value={caption}
          onChange={(event) => setCaption(event.currentTarget.value)}
          maxLength={LIMITS.captionLength}
          maxRows={4}
        />
      )}
    </FormDialog>
  );
}

function isAddress(text: string): boolean {
  return text.trim().startsWith('https://') && URL.canParse(text.trim());
}
