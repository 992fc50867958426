import { ActionIcon, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { commonTexts } from '../../ui/common-texts.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { showError, tell } from '../../ui/parts/faults.tsx';
import { CancelOr } from '../../ui/parts/form.tsx';
import { historySettled } from '../../ui/parts/use-back-closes.ts';
import { useTexts } from '../../ui/texts.ts';
import { deleteStory, ownStoryQuery } from './queries.ts';
import { storyTexts } from './texts.ts';

/** Deletes the person's whole story. */
export function DeleteStory({
  storyId,
  onOpen,
  onDeleted,
}: {
  storyId: string;
  onOpen: () => void;
  onDeleted: () => void;
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(storyTexts) };
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const end = useMutation({
    mutationFn: () => deleteStory(storyId),
    onSuccess: async () => {
      flushSync(() => setAsked(false));
      client.setQueryData(ownStoryQuery.queryKey, null);
      tell(t.deleted);
      // It navigates to another page.
      await historySettled();
      onDeleted();
    },
    onError: showError,
  });
  return (
    <>
      <ActionIcon
        variant="transparent"
        color="white"
        aria-label={t.deleteStory}
        onClick={() => {
          onOpen();
          setAsked(true);
        }}
      >
        <IconTrash size={20} />
      </ActionIcon>
      <Dialog opened={isAsked} onClose={() => setAsked(false)} title={t.deleteTitle} centered>
        <Stack>
          <Text size="sm">{t.deleteText}</Text>
          <CancelOr
            onCancel={() => setAsked(false)}
            color="red"
            loading={end.isPending}
            onClick={() => end.mutate()}
          >
            {t.delete}
          </CancelOr>
        </Stack>
      </Dialog>
    </>
  );
}
