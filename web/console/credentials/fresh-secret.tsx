import { Button, Group, Modal, Stack } from '@mantine/core';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { LeaveQuestion, useLeaveGuard } from '../../ui/parts/leave-guard.tsx';
import { useTexts } from '../../ui/texts.ts';
import { credentialsTexts } from './texts.ts';

/** A secret that was just made, until the developer says that it is stored; whatever would close it asks first. */
export function FreshSecret({
  value,
  ...shown
}: {
  label: string;
  value: string | undefined;
  onStored: () => void;
}) {
  return value !== undefined && <Shown value={value} {...shown} />;
}

function Shown({ label, value, onStored }: { label: string; value: string; onStored: () => void }) {
  const t = useTexts(credentialsTexts);
  const { blocker } = useLeaveGuard(true);
  return (
    <Modal
      opened
      onClose={onStored}
      title={label}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
      centered
    >
      <LeaveQuestion blocker={blocker} title={t.leaveTitle}>
        {t.leaveText}
      </LeaveQuestion>
      <Stack>
        <CopyField label={label} value={value} isSecret />
        <Group justify="flex-end">
          <Button onClick={onStored}>{t.done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
