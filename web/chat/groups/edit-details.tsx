import { Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ShownGroup } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { CancelOr, Form } from '../../ui/parts/form.tsx';
import { codePoints, LengthHint } from '../../ui/parts/length-hint.tsx';
import { useTexts } from '../../ui/texts.ts';
import { PhotoField } from './photo-field.tsx';
import { groupCalls, useGroupChange } from './queries.ts';
import { groupTexts } from './texts.ts';

/** Name, description and photo; only changed fields are sent, so that concurrent edits do not overwrite each other. */
export function EditDetails({ group, onEnd }: { group: ShownGroup; onEnd: () => void }) {
  const t = { ...useTexts(commonTexts), ...useTexts(groupTexts) };
  const { groupId } = group;
  const [name, setName] = useState(group.name);
  const [description, setDescription] = useState(group.description);
  const [photoUrl, setPhotoUrl] = useState(group.photoUrl);
  const changes = {
    ...(name !== group.name && { name }),
    ...(description !== group.description && { description }),
    ...(photoUrl !== group.photoUrl && { photoUrl: photoUrl ?? null }),
  };
  const save = useGroupChange(groupId, () => groupCalls.change(groupId, changes), {
    done: t.saved,
    onSuccess: onEnd,
  });
  const isFine =
    name.trim() !== '' &&
    codePoints(name) <= LIMITS.groupNameLength &&
    codePoints(description) <= LIMITS.groupDescriptionLength;
  return (
    <Form
      onSubmit={() => {
        if (Object.keys(changes).length === 0) onEnd();
        else save.mutate(undefined);
      }}
    >
      <Stack>
        <PhotoField
          name={name}
          seed={groupId}
          photoUrl={photoUrl}
          photoSetBy={group.photoSetBy}
          onChange={setPhotoUrl}
        />
        <TextInput
          label={t.name}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
        />
        <Textarea
          label={t.description}
          description={<LengthHint text={description} limit={LIMITS.groupDescriptionLength} />}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={8}
        />
        <CancelOr onCancel={onEnd} loading={save.isPending} disabled={!isFine}>
          {t.save}
        </CancelOr>
      </Stack>
    </Form>
  );
}
