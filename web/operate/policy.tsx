import { NumberInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormLine, Submit } from '../ui/parts/form.tsx';
import { Moment } from '../ui/parts/moment.tsx';
import { QueryView } from '../ui/parts/query-view.tsx';
import { Screen, Section } from '../ui/parts/screen.tsx';
import { BUTTONS, WideTable } from '../ui/parts/wide-table.tsx';
import { useTexts } from '../ui/texts.ts';
import { inDays } from '../ui/times.ts';
import { ActButton } from './parts/act-button.tsx';
import { CopyDialog } from './parts/copy-dialog.tsx';
import { operateQuery, useOperateChange } from './parts/queries.ts';

/** Sign-up invitations and legal holds. */
export function Component() {
  const t = useTexts();
  return (
    <Screen title={t('operate.section.policy')} lead={t('operate.policy.lead')} size="lg">
      <Invitations />
      <Holds />
    </Screen>
  );
}

/** Invitation links for signing up. */
function Invitations() {
  const t = useTexts();
  return (
    <Section title={t('operate.policy.invitations')} lead={t('operate.policy.invitationsLead')}>
      <MakeInvitation />
      <QueryView query={useQuery(operateQuery('GET /invitations'))}>
        {({ invitations }) => (
          <WideTable
            label={t('operate.policy.invitations')}
            minWidth={520}
            items={invitations}
            empty={<Text c="dimmed">{t('operate.policy.noInvitations')}</Text>}
            keyOf={({ invitationId }) => invitationId}
            columns={[
              [t('operate.policy.note'), ({ note }) => note || '–'],
              [t('operate.policy.usedBy'), ({ used, uses }) => t('operate.policy.used', { used, uses })],
              [t('operate.policy.expires'), ({ expiresAt }) => <Moment at={expiresAt} />],
              [
                '',
                ({ invitationId }) => <ActButton act="invitation.revoked" params={{ invitationId }} />,
                BUTTONS,
              ],
            ]}
          />
        )}
      </QueryView>
    </Section>
  );
}

function MakeInvitation() {
  const t = useTexts();
  const [link, setLink] = useState<string>();
  const make = useOperateChange('POST /invitations', { onSuccess: (made) => setLink(made.link) });
  const close = () => setLink(undefined);
  const whole = { min: 1, required: true, flex: '0 1 10rem' } as const;
  return (
    <FormLine
      gap="xs"
      onSubmit={(fields) =>
        make.mutate({
          body: {
            note: String(fields.get('note')).trim(),
            uses: Number(fields.get('uses')),
            expiresAt: inDays(Number(fields.get('days'))),
          },
        })
      }
    >
      <TextInput name="note" label={t('operate.policy.note')} maxLength={100} flex="1 1 14rem" />
      <NumberInput name="uses" label={t('operate.policy.uses')} defaultValue={1} max={999_999} {...whole} />
      <NumberInput name="days" label={t('operate.policy.days')} defaultValue={7} max={3_650} {...whole} />
      <Submit of={make}>{t('operate.policy.make')}</Submit>
      <CopyDialog title={t('operate.policy.made')} value={link} onClose={close} />
    </FormLine>
  );
}

/** Legal holds: conversations in which everything is kept. */
function Holds() {
  const t = useTexts();
  return (
    <Section
      title={t('operate.policy.holds')}
      lead={t('operate.policy.holdsLead')}
      action={
        <ActButton
          act="conversation.held"
          params={{}}
          more={
            <TextInput
              name="conversationId"
              label={t('operate.policy.conversation')}
              description={t('operate.policy.conversationHint')}
              placeholder="grp_…"
              autoComplete="off"
              maxLength={128}
              required
            />
          }
          read={(fields) => ({ conversationId: String(fields.get('conversationId')).trim() })}
        />
      }
    >
      <QueryView query={useQuery(operateQuery('GET /holds'))}>
        {({ holds }) => (
          <WideTable
            label={t('operate.policy.holds')}
            minWidth={520}
            items={holds}
            empty={<Text c="dimmed">{t('operate.policy.noHolds')}</Text>}
            keyOf={({ conversationId }) => conversationId}
            columns={[
              [t('operate.policy.conversation'), ({ conversationId }) => conversationId, { ff: 'monospace' }],
              [t('operate.policy.heldSince'), ({ heldAt }) => <Moment at={heldAt} />],
              [
                '',
                ({ conversationId }) => <ActButton act="conversation.released" params={{ conversationId }} />,
                BUTTONS,
              ],
            ]}
          />
        )}
      </QueryView>
    </Section>
  );
}
