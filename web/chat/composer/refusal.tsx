import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Conversation } from '#contract/chat.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { useTexts } from '../../ui/texts.ts';
import { setBlocked } from '../conversations/queries.ts';
import classes from './composer.module.css';
import { composerTexts } from './texts.ts';

/** Why writing is not possible here, and what to do about it. */
export function Refusal({ conversation: { peer, group, isBlocked } }: { conversation: Conversation }) {
  const t = useTexts(composerTexts);
  const unblock = useMutation({
    mutationFn: (userId: string) => setBlocked(userId, false),
    onError: showError,
  });
  const reason = peer?.isDeleted
    ? peer.isBot
      ? t.deletedBot
      : t.deletedPerson
    : isBlocked
      ? t.blocked
      : group?.isBroadcast
        ? t.readers
        : group
          ? t.announcements
          : t.notAllowed;
  return (
    <div className={classes.refusal}>
      <Text size="sm">{reason}</Text>
      {isBlocked && peer && !peer.isDeleted && (
        <Button
          mt="xs"
          size="compact-sm"
          variant="light"
          loading={unblock.isPending}
          onClick={() => unblock.mutate(peer.userId)}
        >
          {t.unblock}
        </Button>
      )}
    </div>
  );
}
