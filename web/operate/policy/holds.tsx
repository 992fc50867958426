import { Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { HeldConversation } from '#contract/operate/policy.ts';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { holdsQuery, useOperateChange } from '../parts/queries.ts';
import { ReasonButton } from '../parts/reason-button.tsx';

/** Legal holds: conversations in which everything is kept. */
export function Holds() {
  const t = useTexts();
  const holds = useQuery(holdsQuery);
  const hold = useOperateChange('POST /holds', { done: t('operate.policy.held') });
  return (
    <Section
      title={t('operate.policy.holds')}
      lead={t('operate.policy.holdsLead')}
      action={
        <ReasonButton
          label={t('operate.policy.hold')}
          title={t('operate.policy.holdTitle')}
          variant="default"
          loading={hold.isPending}
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
          onGiven={(reason, fields) =>
            hold.mutate({ body: { reason, conversationId: String(fields.get('conversationId')).trim() } })
          }
        >
          {t('operate.policy.holdText')}
        </ReasonButton>
      }
    >
      <QueryView query={holds}>
        {(found) =>
          found.length === 0 ? (
            <Text c="dimmed">{t('operate.policy.noHolds')}</Text>
          ) : (
            <Listed holds={found} />
          )
        }
      </QueryView>
    </Section>
  );
}

function Listed({ holds }: { holds: HeldConversation[] }) {
  const t = useTexts();
  const release = useOperateChange('DELETE /holds/:conversationId', { done: t('operate.policy.released') });
  return (
    <WideTable
      label={t('operate.policy.holds')}
      minWidth={520}
      columns={[t('operate.policy.conversation'), t('operate.policy.heldSince'), '']}
    >
      {holds.map(({ conversationId, heldAt }) => (
        <Table.Tr key={conversationId}>
          <Table.Td ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {conversationId}
          </Table.Td>
          <Table.Td>
            <Moment at={heldAt} />
          </Table.Td>
          <Table.Td ta="end">
            <ReasonButton
              label={t('operate.policy.release')}
              title={t('operate.policy.releaseTitle')}
              size="xs"
              variant="default"
              onGiven={(reason) => release.mutate({ params: { conversationId }, body: { reason } })}
            >
              {t('operate.policy.releaseText')}
            </ReasonButton>
          </Table.Td>
        </Table.Tr>
      ))}
    </WideTable>
  );
}
