import { Box, Button, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { LinkedGroupForPerson } from '#contract/group-links.ts';
import { ApiError, callChat } from '../../ui/api.ts';
import { Fault } from '../../ui/parts/faults.tsx';
import { chatQuery } from '../../ui/parts/query.ts';
import { useTexts } from '../../ui/texts.ts';
import { LargeAvatar } from '../media/avatar.tsx';
import { takeAsked } from './asked.ts';
import { InvitationPage } from './invite.tsx';

/** The target of an invitation link of a group: the group, and the button to join it. */
export function Component() {
  const t = useTexts();
  const token = useLocation().hash.slice(1);
  const group = useQuery(chatQuery(['linked-group', token], 'POST /groups/links/show', { body: { token } }));
  return (
    <InvitationPage query={group} gone={t('chat.join.goneText')}>
      {(found) => <Invitation key={token} group={found} token={token} />}
    </InvitationPage>
  );
}

function Invitation({ group, token }: { group: LinkedGroupForPerson; token: string }) {
  const t = useTexts();
  const navigate = useNavigate();
  const { groupId, name, photoUrl, isBroadcast, memberCount, isMember, needsApproval } = group;
  const join = useMutation({
    mutationFn: () => callChat('POST /groups/links/join', { body: { token } }),
    onSuccess: ({ isMember }) => isMember && void navigate(`/c/${groupId}`, { replace: true }),
  });
  const { mutate } = join;
  // Trying again would not help.
  const hasAsked = join.data ? !join.data.isMember : group.hasAsked;
  const isRefused = join.error instanceof ApiError && join.error.status === 403;
  useEffect(() => {
    if (takeAsked(token)) mutate(undefined);
  }, [token, mutate]);
  return (
    <Stack align="center" ta="center" gap="xs" maw={420}>
      <LargeAvatar name={name} seed={groupId} pictureUrl={photoUrl} size={96} />
      <Title order={2} maw="100%">
        {name}
      </Title>
      <Text c="dimmed">
        {isBroadcast ? t('chat.group.broadcast') : t('chat.group.group')} ·{' '}
        {t('chat.group.memberCount', { count: memberCount })}
      </Text>
      {!isRefused && (
        <Text>
          {isMember
            ? t('chat.join.member')
            : hasAsked
              ? t('chat.join.asked')
              : needsApproval
                ? t('chat.join.approvalText')
                : isBroadcast
                  ? t('chat.join.broadcastText')
                  : t('chat.join.groupText')}
        </Text>
      )}
      {join.isError && (
        <Box ta="start" mt="sm">
          <Fault error={join.error} />
        </Box>
      )}
      {isRefused || (hasAsked && !isMember) ? null : isMember ? (
        <Button component={Link} to={`/c/${groupId}`} replace mt="sm">
          {t('chat.join.open')}
        </Button>
      ) : (
        <Button loading={join.isPending || join.isSuccess} onClick={() => mutate(undefined)} mt="sm">
          {needsApproval
            ? t('chat.join.ask')
            : isBroadcast
              ? t('chat.join.joinBroadcast')
              : t('chat.join.joinGroup')}
        </Button>
      )}
    </Stack>
  );
}
