import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { createPath, useBlocker } from 'react-router';
import { commonTexts } from '../common-texts.ts';
import { useTexts } from '../texts.ts';

/**
 * While it stands, leaving the page asks first, by whichever way: a link, the back button, a reload, closing the tab.
 * `release` lets the next step through without a question.
 */
export function useLeaveGuard(isGuarded: boolean) {
  const isReleased = useRef(false);
  // A dialog that closes steps back to where one is anyway.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isGuarded &&
      !isReleased.current &&
      (currentLocation.key !== nextLocation.key || createPath(currentLocation) !== createPath(nextLocation)),
  );
  useEffect(() => {
    isReleased.current = false;
    if (!isGuarded) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isGuarded]);
  return {
    blocker,
    release: () => {
      isReleased.current = true;
    },
  };
}

/** The question of {@link useLeaveGuard}. */
export function LeaveQuestion({
  blocker,
  title,
  children,
}: {
  blocker: ReturnType<typeof useLeaveGuard>['blocker'];
  title: string;
  children: string;
}) {
  const t = useTexts(commonTexts);
  return (
    <Modal opened={blocker.state === 'blocked'} onClose={() => blocker.reset?.()} title={title} centered>
      <Stack>
        <Text size="sm">{children}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => blocker.proceed?.()}>
            {t.leave}
          </Button>
          <Button onClick={() => blocker.reset?.()} data-autofocus>
            {t.stay}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
