import { Card, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Team } from '#contract/applications/team.ts';
import { TEAM_ROLES, type TeamRole } from '#contract/choices.ts';
import { Avatar } from '../../ui/parts/avatar.tsx';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { useChange } from '../application/queries.ts';
import { Invitations, Invite } from './invitations.tsx';
import { teamQuery } from './queries.ts';

/** The members of the application's team. */
export function Component() {
  const t = useTexts();
  const { appId, role } = useApplication();
  const team = useQuery(teamQuery(appId));
  return (
    <Screen
      title={t('console.team.title')}
      lead={t('console.team.lead')}
      action={role === 'owner' && <Invite />}
    >
      <QueryView query={team}>
        {({ members, invitations }) => (
          <>
            <Section title={t('console.team.members')}>
              <Stack gap="xs">
                {members.map((member) => (
                  <Member key={member.userId} member={member} />
                ))}
              </Stack>
            </Section>
            {invitations.length > 0 && <Invitations invitations={invitations} />}
          </>
        )}
      </QueryView>
    </Screen>
  );
}

function Member({ member: { userId, name, role, joinedAt } }: { member: Team['members'][number] }) {
  const t = useTexts();
  const { appId, role: ownRole } = useApplication();
  const { accountId } = useAccount();
  const navigate = useNavigate();
  const isSelf = userId === accountId;
  const change = useChange('PATCH /applications/:appId/team/:userId', {
    done: t('console.team.roleChanged'),
  });
  const remove = useChange('DELETE /applications/:appId/team/:userId', {
    done: isSelf ? t('console.team.left') : t('console.team.removed'),
    onSuccess: () => {
      if (isSelf) void navigate('/', { replace: true });
    },
  });
  const mayChange = ownRole === 'owner' && role !== 'owner';
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <Avatar name={name} seed={userId} size={36} />
          <div style={{ minWidth: 0 }}>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {t(`console.role.${role}`)} · {t('console.team.joined')} <Moment at={joinedAt} />
            </Text>
          </div>
        </Group>
        <Group gap="xs">
          {mayChange && (
            <Select
              aria-label={t('console.team.roleOf', { name })}
              data={TEAM_ROLES.map((value) => ({ value, label: t(`console.role.${value}`) }))}
              value={role}
              onChange={(chosen) =>
                chosen &&
                change.mutate({
                  params: { appId, userId },
                  body: { role: chosen as TeamRole },
                })
              }
              allowDeselect={false}
              w={150}
            />
          )}
          {(mayChange || (isSelf && role !== 'owner')) && (
            <ConfirmButton
              variant="default"
              label={isSelf ? t('console.team.leave') : t('console.team.removeOne', { name })}
              title={isSelf ? t('console.team.leave') : t('console.team.removeOne', { name })}
              loading={remove.isPending}
              onConfirm={() => remove.mutate({ params: { appId, userId } })}
            >
              {isSelf ? t('console.team.leaveText') : t('console.team.removeText')}
            </ConfirmButton>
          )}
        </Group>
      </Group>
    </Card>
  );
}
