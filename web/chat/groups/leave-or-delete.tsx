import { Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { ShownGroup } from '#contract/chat.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { groupCalls, membersQuery, useGroupChange } from './queries.ts';

/** Leaves or deletes the group, after saying what becomes of it. */
export function LeaveOrDelete({ group, isAdmin }: { group: ShownGroup; isAdmin: boolean }) {
  const t = useTexts();
  const { groupId, name, isBroadcast, creatorId } = group;
  const { accountId } = useAccount();
  const navigate = useNavigate();
  const isBound = isBroadcast && creatorId === accountId;
  const away = () => navigate('/', { replace: true });
  const leave = useGroupChange(groupId, () => groupCalls.remove(groupId, accountId), {
    done: t('chat.group.left'),
    onSuccess: away,
  });
  const end = useGroupChange(groupId, () => groupCalls.delete(groupId), {
    done: t('chat.group.deleted'),
    onSuccess: away,
  });
  const whatFollows = useWhatFollows(group, isAdmin);
  return (
    <Stack gap="xs">
      {isBound && (
        <Text size="sm" c="dimmed">
          {t('chat.group.creatorStays')}
        </Text>
      )}
      <Group gap="xs">
        {!isBound && (
          <ConfirmButton
            variant="default"
            label={isBroadcast ? t('chat.group.leaveBroadcast') : t('chat.group.leaveGroup')}
            title={t('chat.group.leaveTitle', { name })}
            loading={leave.isPending}
            onConfirm={() => leave.mutate(undefined)}
          >
            {whatFollows}
          </ConfirmButton>
        )}
        {isAdmin && (
          <ConfirmButton
            color="red"
            variant="light"
            label={t('chat.group.deleteGroup')}
            title={t('chat.group.deleteTitle', { name })}
            loading={end.isPending}
            onConfirm={() => end.mutate(undefined)}
          >
            {t('chat.group.deleteText')}
          </ConfirmButton>
        )}
      </Group>
    </Stack>
  );
}

function useWhatFollows({ groupId, memberCount, isBroadcast }: ShownGroup, isAdmin: boolean): string {
  const t = useTexts();
  const members = useInfiniteQuery(membersQuery(groupId));
  if (memberCount === 1) return t('chat.group.leaveAlone');
  const known = members.data?.pages.flatMap((page) => page.members) ?? [];
  const isLast =
    isAdmin && !isBroadcast && !members.hasNextPage && known.filter((one) => one.isAdmin).length === 1;
  return isLast ? t('chat.group.leaveAsLast') : t('chat.group.leaveText');
}
