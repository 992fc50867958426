import { Button, Card, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Team } from '#contract/applications/team.ts';
import { TEAM_ROLES, type TeamRole } from '#contract/choices.ts';
import { Avatar } from '../../ui/parts/avatar.tsx';
import { confirms } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { FormDialog } from '../../ui/parts/dialog.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { ShownOnce } from '../../ui/parts/shown-once.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { useChange, useOwnQuery } from '../application/queries.ts';

/** The members of the application's team. */
export function Component() {
  const t = useTexts();
  const { role } = useApplication();
  return (
    <Screen
      title={t('console.application.team')}
      lead={t('console.team.lead')}
      action={role === 'owner' && <Invite />}
    >
      <QueryView query={useOwnQuery('GET /applications/:appId/team')}>
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
  const { role: ownRole } = useApplication();
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
            <Text fw={600}>{name}</Text>
            <Dimmed size="xs">
              {t(`console.role.${role}`)} · {t('console.team.joined')} <Moment at={joinedAt} />
            </Dimmed>
          </div>
        </Group>
        <Group gap="xs">
          {mayChange && (
            <Select
              aria-label={t('console.team.roleOf', { name })}
              data={TEAM_ROLES.map((value) => ({ value, label: t(`console.role.${value}`) }))}
              value={role}
              onChange={(chosen) =>
                chosen && change.mutate({ params: { userId }, body: { role: chosen as TeamRole } })
              }
              w={150}
            />
          )}
          {(mayChange || (isSelf && role !== 'owner')) && (
            <ConfirmButton
              label={isSelf ? t('console.team.leave') : t('console.team.removeOne', { name })}
              text={isSelf ? t('console.team.leaveText') : t('console.team.removeText')}
              {...confirms(remove, { params: { userId } })}
            />
          )}
        </Group>
      </Group>
    </Card>
  );
}

/** Creates a link for the owner to share. The token follows the #, which browsers do not send to the server. */
function Invite() {
  const t = useTexts();
  const [isOpen, setOpen] = useState(false);
  const [token, setToken] = useState<string>();
  const invite = useChange('POST /applications/:appId/team/invitations', {
    onSuccess: (made) => setToken(made.token),
  });
  return (
    <>
      <Button loading={invite.isPending} onClick={() => setOpen(true)}>
        {t('console.team.invite')}
      </Button>
      <FormDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('console.team.inviteTitle')}
        submit={t('console.team.invite')}
        onSubmit={(fields) => {
          setOpen(false);
          invite.mutate({ body: { role: fields.get('role') as TeamRole } });
        }}
      >
        <Text size="sm">{t('console.team.inviteText')}</Text>
        <Select
          name="role"
          label={t('console.team.role')}
          data={TEAM_ROLES.map((value) => ({ value, label: t(`console.role.${value}`) }))}
          defaultValue="developer"
          data-autofocus
        />
      </FormDialog>
      {token && (
        <ShownOnce
          title={t('console.team.link')}
          done={t('console.team.linkDone')}
          leave={{ title: t('console.team.leaveLinkTitle'), text: t('console.team.leaveLinkText') }}
          size="lg"
          onStored={() => setToken(undefined)}
        >
          <CopyField
            label={t('console.team.link')}
            value={`${location.origin}/console/join#${token}`}
            hint={t('console.team.linkHint')}
          />
        </ShownOnce>
      )}
    </>
  );
}

function Invitations({ invitations }: { invitations: Team['invitations'] }) {
  const t = useTexts();
  const { role: ownRole } = useApplication();
  const withdraw = useChange('DELETE /applications/:appId/team/invitations/:fingerprint', {
    done: t('console.team.withdrawn'),
  });
  return (
    <Section title={t('console.team.invitations')}>
      <Stack gap="xs">
        {invitations.map(({ fingerprint, role, expiresAt }) => (
          <Card key={fingerprint} withBorder padding="sm">
            <Group justify="space-between">
              <Text size="sm">
                {t(`console.role.${role}`)} · {t('console.team.expires')} <Moment at={expiresAt} />
              </Text>
              {ownRole === 'owner' && (
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => withdraw.mutate({ params: { fingerprint } })}
                >
                  {t('console.team.withdraw')}
                </Button>
              )}
            </Group>
          </Card>
        ))}
      </Stack>
    </Section>
  );
}
