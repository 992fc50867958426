import { Textarea, TextInput } from '@mantine/core';
import type { Dispatch, SetStateAction } from 'react';
import type { ShownGroup } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { codePoints, LengthHint } from '../../ui/parts/length-hint.tsx';
import { PictureField } from '../../ui/parts/picture-field.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Avatar } from '../media/avatar.tsx';

export interface About {
  name: string;
  description: string;
  photoUrl?: string | undefined;
}

/** The photo and name of a group, and what it is for. */
export function AboutFields({
  about: { name, description, photoUrl },
  group,
  onChange,
}: {
  about: About;
  /** If there is one already. */
  group?: ShownGroup;
  onChange: Dispatch<SetStateAction<About>>;
}) {
  const t = useTexts();
  const change = (part: Partial<About>) => onChange((before) => ({ ...before, ...part }));
  const over = codePoints(name) - LIMITS.groupNameLength;
  const photo = { name: name || '?', seed: group?.groupId, pictureUrl: photoUrl, from: group?.photoSetBy };
  return (
    <>
      <PictureField
        name={name}
        pictureUrl={photoUrl}
        preview={<Avatar {...photo} size={64} />}
        texts={{
          choose: t('chat.group.choosePhoto'),
          remove: t('chat.group.removePhoto'),
          hint: t('chat.group.photoHint'),
        }}
        onChange={(url) => change({ photoUrl: url ?? undefined })}
      />
      <TextInput
        label={t('chat.group.name')}
        value={name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        error={over > 0 && t('ui.common.charactersTooMany', { over })}
        required
        autoFocus
      />
      <Textarea
        label={t('chat.group.description')}
        description={<LengthHint text={description} limit={LIMITS.groupDescriptionLength} />}
        value={description}
        onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        minRows={2}
        maxRows={8}
      />
    </>
  );
}
