import { Button, Group, NumberInput, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SignUpInvitation } from '#contract/accounts.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Form } from '../../ui/parts/form.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { invitationsQuery, useOperateChange } from '../parts/queries.ts';

const DAY_MS = 86_400_000;

/** Invitation links for signing up. */
export function Invitations() {
  const t = useTexts();
  const invitations = useQuery(invitationsQuery);
  return (
    <Section title={t('operate.policy.invitations')} lead={t('operate.policy.invitationsLead')}>
      <MakeInvitation />
      <QueryView query={invitations}>
        {(found) =>
          found.length === 0 ? (
            <Text c="dimmed">{t('operate.policy.noInvitations')}</Text>
          ) : (
            <Listed invitations={found} />
          )
        }
      </QueryView>
    </Section>
  );
}

function MakeInvitation() {
  const t = useTexts();
  const [link, setLink] = useState<string>();
  const make = useOperateChange('POST /invitations', { onSuccess: (made) => setLink(made.link) });
  const close = () => setLink(undefined);
  const whole = { min: 1, allowDecimal: false, required: true, flex: '0 1 10rem' } as const;
  return (
    <Form
      onSubmit={(fields) =>
        make.mutate({
          body: {
            note: String(fields.get('note')).trim(),
            uses: Number(fields.get('uses')),
            expiresAt: Date.now() + Number(fields.get('days')) * DAY_MS,
          },
        })
      }
    >
      <Group align="flex-end" gap="xs">
        <TextInput name="note" label={t('operate.policy.note')} maxLength={100} flex="1 1 14rem" />
        <NumberInput name="uses" label={t('operate.policy.uses')} defaultValue={1} max={999_999} {...whole} />
        <NumberInput name="days" label={t('operate.policy.days')} defaultValue={7} max={3_650} {...whole} />
        <Button type="submit" loading={make.isPending}>
          {t('operate.policy.make')}
        </Button>
      </Group>
      <Dialog opened={link !== undefined} onClose={close} title={t('operate.policy.made')} centered>
        <CopyField label={t('operate.policy.made')} value={link ?? ''} />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={close}>
            {t('ui.common.close')}
          </Button>
        </Group>
      </Dialog>
    </Form>
  );
}

function Listed({ invitations }: { invitations: SignUpInvitation[] }) {
  const t = useTexts();
  const revoke = useOperateChange('DELETE /invitations/:invitationId', {
    done: t('operate.policy.revoked'),
  });
  return (
    <WideTable
      label={t('operate.policy.invitations')}
      minWidth={520}
      columns={[t('operate.policy.note'), t('operate.policy.usedBy'), t('operate.policy.expires'), '']}
    >
      {invitations.map(({ invitationId, note, used, uses, expiresAt }) => (
        <Table.Tr key={invitationId}>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>{note || '–'}</Table.Td>
          <Table.Td>{t('operate.policy.used', { used, uses })}</Table.Td>
          <Table.Td>
            <Moment at={expiresAt} />
          </Table.Td>
          <Table.Td ta="end">
            <ConfirmButton
              label={t('operate.policy.revoke')}
              title={t('operate.policy.revokeTitle')}
              size="xs"
              variant="default"
              onConfirm={() => revoke.mutate({ params: { invitationId } })}
            >
              {t('operate.policy.revokeText')}
            </ConfirmButton>
          </Table.Td>
        </Table.Tr>
      ))}
    </WideTable>
  );
}
