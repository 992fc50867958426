import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callAuth } from '../../ui/api.ts';
import { Avatar } from '../../ui/parts/avatar.tsx';
import { useTexts } from '../../ui/texts.ts';
import { isRemote } from '../media/remote-rule.ts';
import { invitationTexts } from './texts.ts';

/** The inviter, for somebody who is not signed in yet. */
export function InvitedBy({ token }: { token: string }) {
  const t = useTexts(invitationTexts);
  const { data } = useQuery({
    queryKey: ['invited-by', token],
    queryFn: ({ signal }) => callAuth('GET /invitations/:token', { params: { token }, signal }),
  });
  if (!data) return null;
  const { name, pictureUrl } = data;
  // A picture on another server would reveal to it who opens the link.
  const isShown = pictureUrl !== undefined && !isRemote(pictureUrl, location.origin);
  return (
    <Group wrap="nowrap">
      <Avatar name={name} {...(isShown && { pictureUrl })} size={56} />
      <div style={{ minWidth: 0 }}>
        <Text fw={650} style={{ overflowWrap: 'anywhere' }}>
          {t.invitedBy(name)}
        </Text>
        <Text size="sm" c="dimmed">
          {t.invitedText}
        </Text>
      </div>
    </Group>
  );
}
