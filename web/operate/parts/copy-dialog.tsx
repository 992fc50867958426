import { Button, Group } from '@mantine/core';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { useTexts } from '../../ui/texts.ts';

/** A value that was just made, to copy; open while there is one. */
export function CopyDialog({
  title,
  value,
  onClose,
}: {
  title: string;
  value: string | undefined;
  onClose: () => void;
}) {
  const t = useTexts();
  return (
    <Dialog opened={value !== undefined} onClose={onClose} title={title} centered>
      <CopyField label={title} value={value ?? ''} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('ui.common.close')}
        </Button>
      </Group>
    </Dialog>
  );
}
