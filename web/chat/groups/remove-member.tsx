import { Stack, Text } from '@mantine/core';
import type { Peer } from '#contract/chat.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { CancelOr } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';
import { groupCalls, useGroupChange } from './queries.ts';
import { groupTexts } from './texts.ts';

/** Asks for confirmation before removing somebody from a group. */
export function RemoveMember({
  groupId,
  member: { userId, name },
  isOpen,
  onClose,
}: {
  groupId: string;
  member: Peer;
  isOpen: boolean;
  onClose: () => void;
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(groupTexts) };
  const remove = useGroupChange(groupId, () => groupCalls.remove(groupId, userId), {
    done: t.removed,
    onSuccess: onClose,
  });
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t.removeTitle(name)} centered>
      <Stack>
        <Text size="sm">{t.removeText}</Text>
        <CancelOr
          onCancel={onClose}
          color="red"
          loading={remove.isPending}
          onClick={() => remove.mutate(undefined)}
        >
          {t.remove}
        </CancelOr>
      </Stack>
    </Dialog>
  );
}
