import { Anchor, Stack, Table, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ApplicationWebhooks } from '#contract/webhooks/incoming-webhooks.ts';
import { callConsole } from '../../ui/api.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { DeveloperOnly } from '../application/developer-only.tsx';
import { ExtensionSwitch } from '../application/extension-switch.tsx';
import { useApplication } from '../application/layout.tsx';
import { useChange } from '../application/queries.ts';
import { alertmanagerSettings, curlCommand, gitHubSettings, grafanaSettings } from './settings.ts';

type Webhook = ApplicationWebhooks['webhooks'][number];

const webhooksQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'incoming-webhooks'],
    queryFn: ({ signal }) =>
      callConsole('GET /applications/:appId/incoming-webhooks', { params: { appId }, signal }),
  });

/** Incoming webhooks: the owner's switch, settings for tools, and the URLs created by administrators of groups. */
export function IncomingWebhooks() {
  const t = useTexts();
  const { appId, extensions } = useApplication();
  const isOn = extensions.includes('incoming_webhooks');
  const webhooks = useQuery(webhooksQuery(appId));
  return (
    <Section
      title={t('console.integrations.webhooks')}
      lead={
        <>
          {t('console.integrations.webhooksLead')}{' '}
          <Anchor href="/docs/guide/incoming-webhooks" inherit underline="always">
            {t('console.integrations.guide')}
          </Anchor>
        </>
      }
    >
      <Stack>
        <ExtensionSwitch
          extension="incoming_webhooks"
          label={t('console.integrations.webhooks')}
          hint={t('console.integrations.webhooksHint')}
        />
        {isOn && <Settings />}
        <QueryView query={webhooks}>
          {(found) => (isOn || found.webhooks.length > 0) && <Made webhooks={found.webhooks} />}
        </QueryView>
      </Stack>
    </Section>
  );
}

function Settings() {
  const t = useTexts();
  const url = `${location.origin}/hooks/xih_…`;
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('console.integrations.yourAddress')}
      </Text>
      <CopyField label={t('console.integrations.alertmanager')} isBlock value={alertmanagerSettings(url)} />
      <CopyField label={t('console.integrations.grafana')} isBlock value={grafanaSettings(url)} />
      <CopyField label={t('console.integrations.gitHub')} isBlock value={gitHubSettings(url)} />
      <CopyField label={t('console.integrations.command')} isBlock value={curlCommand(url)} />
    </>
  );
}

function Made({ webhooks }: { webhooks: readonly Webhook[] }) {
  const t = useTexts();
  return (
    <>
      <Text fw={600} size="sm">
        {t('console.integrations.made')}
      </Text>
      {webhooks.length === 0 ? (
        <Text size="sm">{t('console.integrations.none')}</Text>
      ) : (
        <DeveloperOnly>
          <WideTable
            label={t('console.integrations.made')}
            minWidth={720}
            verticalSpacing="sm"
            columns={[
              t('console.integrations.name'),
              t('console.integrations.group'),
              t('console.integrations.created'),
              t('console.integrations.lastUsed'),
              '',
            ]}
          >
            {webhooks.map((webhook) => (
              <Row key={webhook.webhookId} webhook={webhook} />
            ))}
          </WideTable>
        </DeveloperOnly>
      )}
    </>
  );
}

function Row({ webhook: { webhookId, name, groupName, createdAt, lastUsedAt } }: { webhook: Webhook }) {
  const t = useTexts();
  const { appId } = useApplication();
  const revoke = useChange('DELETE /applications/:appId/incoming-webhooks', {
    done: t('console.integrations.revoked'),
  });
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {groupName ?? t('console.integrations.groupGone')}
      </Table.Td>
      <Table.Td>
        <Moment at={createdAt} />
      </Table.Td>
      <Table.Td>
        {lastUsedAt === undefined ? t('console.integrations.never') : <Moment at={lastUsedAt} />}
      </Table.Td>
      <Table.Td ta="end">
        <ConfirmButton
          variant="default"
          size="compact-sm"
          label={t('console.integrations.revoke')}
          title={t('console.integrations.revokeTitle', { name })}
          loading={revoke.isPending}
          onConfirm={() =>
            revoke.mutate({
              params: { appId },
              body: { webhookId },
            })
          }
        >
          {t('console.integrations.revokeText')}
        </ConfirmButton>
      </Table.Td>
    </Table.Tr>
  );
}
