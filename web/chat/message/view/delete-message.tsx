import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ChatMessage } from '#contract/chat.ts';
import { commonTexts } from '../../../ui/common-texts.ts';
import { Dialog } from '../../../ui/parts/dialog.tsx';
import { showError } from '../../../ui/parts/faults.tsx';
import { useTexts } from '../../../ui/texts.ts';
import { deleteForEverybody, deleteForMe } from '../changes.ts';
import { messageTexts } from '../texts.ts';

/** Asks for whom to delete a message or an album. The live stream then removes it from the page. */
export function DeleteMessage({
  messages,
  isForEverybody,
  onClose,
}: {
  messages: ChatMessage[];
  /** Whether the person may also delete them for everybody. */
  isForEverybody: boolean;
  onClose: () => void;
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(messageTexts) };
  const end = useMutation({
    mutationFn: async (erase: typeof deleteForMe) => {
      for (const message of messages) await erase(message);
    },
    onSuccess: onClose,
    onError: showError,
  });
  return (
    <Dialog
      opened
      onClose={onClose}
      title={messages.length > 1 ? t.deleteAlbum(messages.length) : t.deleteTitle}
      centered
    >
      <Stack>
        <Text size="sm">{isForEverybody ? t.deleteText : t.deleteForMeText}</Text>
        {isForEverybody && (
          <Button color="red" loading={end.isPending} onClick={() => end.mutate(deleteForEverybody)}>
            {t.deleteForEverybody}
          </Button>
        )}
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate(deleteForMe)}>
          {t.deleteForMe}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {t.cancel}
        </Button>
      </Stack>
    </Dialog>
  );
}
