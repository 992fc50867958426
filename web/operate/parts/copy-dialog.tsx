import { Button, Group } from '@mantine/core';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { useTexts } from '../../ui/texts.ts';

/** A value that was just made and is shown this once, to copy; open while there is one. */
export function CopyDialog({
  title,
  value,
  hint,
  onClose,
}: {
  title: string;
  value: string | undefined;
  hint?: string;
  onClose: () => void;
}) {
  const t = useTexts();
  return (
    <Dialog
      opened={value !== undefined}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      size="lg"
    >
      <CopyField label={title} value={value ?? ''} {...(hint !== undefined && { hint })} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('ui.common.close')}
        </Button>
      </Group>
    </Dialog>
  );
}
