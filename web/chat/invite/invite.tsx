import { Button, Center, Stack, Text } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import type { Profile } from '#contract/chat.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { chatQuery } from '../../ui/parts/query.ts';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Waiting } from '../../ui/parts/waiting.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { LargeAvatar } from '../media/avatar.tsx';
import { Page } from '../parts/page.tsx';

/** The target of an invite link: the person, and the button to write to them. */
export function Component() {
  const t = useTexts();
  const { token = '' } = useParams();
  const invitation = useQuery(chatQuery(['invitation', token], 'GET /invites/:token', { params: { token } }));
  const { accountId } = useAccount();
  return (
    <InvitationPage query={invitation} gone={t('chat.invitation.goneText')}>
      {(person) => <Invitation person={person} token={token} isOwn={person.userId === accountId} />}
    </InvitationPage>
  );
}

/** The target of a link that invites: who or what invites, or that the link leads nowhere any more. */
export function InvitationPage<T>({
  query,
  gone,
  children,
}: {
  query: UseQueryResult<T>;
  gone: string;
  children: (data: T) => ReactNode;
}) {
  const t = useTexts();
  return (
    <Page title={t('chat.invitation.title')}>
      <Center mih="50vh">
        <QueryView
          query={query}
          loading={<Waiting />}
          gone={
            <Empty icon={<IconLinkOff />} title={t('chat.invitation.goneTitle')}>
              {gone}
            </Empty>
          }
        >
          {children}
        </QueryView>
      </Center>
    </Page>
  );
}

function Invitation({
  person: { name, userId, pictureUrl, conversationId },
  token,
  isOwn,
}: {
  person: Profile;
  token: string;
  isOwn: boolean;
}) {
  const t = useTexts();
  return (
    <Stack align="center" ta="center" gap="xs">
      <LargeAvatar name={name} seed={userId} pictureUrl={pictureUrl} size={96} />
      <Text fw={650} size="xl" maw="100%">
        {name}
      </Text>
      <Text c="dimmed">{isOwn ? t('chat.invitation.own') : t('chat.invitation.invites')}</Text>
      {isOwn ? (
        <Button component={Link} to="/settings/invite" variant="default" mt="sm">
          {t('chat.invitation.toSettings')}
        </Button>
      ) : (
        <Button component={Link} to={`/c/${conversationId}?invite=${token}`} mt="sm">
          {t('chat.invitation.write')}
        </Button>
      )}
    </Stack>
  );
}
