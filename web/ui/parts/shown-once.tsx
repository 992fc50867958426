import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { createPath, useBlocker } from 'react-router';
import { useTexts } from '../texts.ts';
import { useReturnsFocus } from './use-returns-focus.ts';

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
  useReturnsFocus(true);
  return (
    <Modal
      opened
      onClose={onStored}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size={size}
    >
      <LeaveGuard title={leave.title}>{leave.text}</LeaveGuard>
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button onClick={onStored}>{done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Leaving the page asks for confirmation: by a link, the back button, a reload, or closing the tab. */
export function LeaveGuard({ title, children }: { title: string; children: string }) {
  const t = useTexts();
  // A dialog that closes goes back to the same location, which is no reason to ask.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.key !== nextLocation.key || createPath(currentLocation) !== createPath(nextLocation),
  );
  useWindowEvent('beforeunload', (event) => event.preventDefault());
  return (
    <Modal opened={blocker.state === 'blocked'} onClose={() => blocker.reset?.()} title={title}>
      <Stack>
        <Text size="sm">{children}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => blocker.proceed?.()}>
            {t('ui.common.leave')}
          </Button>
          <Button onClick={() => blocker.reset?.()} data-autofocus>
            {t('ui.common.stay')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
