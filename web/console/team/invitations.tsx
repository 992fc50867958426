import { Button, Card, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Team } from '#contract/applications/team.ts';
import { TEAM_ROLES, type TeamRole } from '#contract/choices.ts';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { CancelOr, Form } from '../../ui/parts/form.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { ShownOnce } from '../../ui/parts/shown-once.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { useChange } from '../application/queries.ts';

/** Creates a link for the owner to share. The token follows the #, which browsers do not send to the server. */
export function Invite() {
  const t = useTexts();
  const { appId } = useApplication();
  const [isOpen, setOpen] = useState(false);
  const [role, setRole] = useState<TeamRole>('developer');
  const [token, setToken] = useState<string>();
  const invite = useChange('POST /applications/:appId/team/invitations', {
    onSuccess: (made) => setToken(made.token),
  });
  return (
    <>
      <Button loading={invite.isPending} onClick={() => setOpen(true)}>
        {t('console.team.invite')}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t('console.team.inviteTitle')} centered>
        <Form
          onSubmit={() => {
            setOpen(false);
            invite.mutate({ params: { appId }, body: { role } });
          }}
        >
          <Stack>
            <Text size="sm">{t('console.team.inviteText')}</Text>
            <Select
              label={t('console.team.role')}
              data={TEAM_ROLES.map((value) => ({ value, label: t(`console.role.${value}`) }))}
              value={role}
              onChange={(chosen) => chosen && setRole(chosen as TeamRole)}
              allowDeselect={false}
            />
            <CancelOr onCancel={() => setOpen(false)}>{t('console.team.invite')}</CancelOr>
          </Stack>
        </Form>
      </Dialog>
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

export function Invitations({ invitations }: { invitations: Team['invitations'] }) {
  const t = useTexts();
  const { appId, role: ownRole } = useApplication();
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
                  onClick={() =>
                    withdraw.mutate({
                      params: { appId, fingerprint },
                    })
                  }
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
