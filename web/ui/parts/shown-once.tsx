import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { LeaveQuestion, useLeaveGuard } from './leave-guard.tsx';

interface Props {
  title: string;
  /** Says that what is shown is stored. */
  done: string;
  /** The question to whoever is about to leave without it. */
  leave: { title: string; text: string };
  size?: string;
  children: ReactNode;
  onStored: () => void;
}

/** Secrets that were just made, until the person says that they are stored; whatever would close them asks first. */
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
