import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { LeaveQuestion, useLeaveGuard } from './leave-guard.tsx';

interface Props {
  title: string;
  /** The label of the confirmation that the secrets are stored. */
  done: string;
  /** The question when leaving without confirming. */
  leave: { title: string; text: string };
  size?: string;
  children: ReactNode;
  onStored: () => void;
}

/** New secrets, shown until the person confirms that they are stored; leaving before that asks first. */
export function ShownOnce({ title, done, leave, size = 'md', children, onStored }: Props) {
  const { blocker } = useLeaveGuard(true);
  return (
    <Modal
      opened
      onClose={onStored}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size={size}
      centered
    >
      <LeaveQuestion blocker={blocker} title={leave.title}>
        {leave.text}
      </LeaveQuestion>
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button onClick={onStored}>{done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
