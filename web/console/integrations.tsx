import { Stack, Text } from '@mantine/core';
import type { ApplicationWebhooks } from '#contract/webhooks/incoming-webhooks.ts';
import { confirms } from '../ui/parts/change.ts';
import { ConfirmButton } from '../ui/parts/confirm-button.tsx';
import { CopyField } from '../ui/parts/copy-field.tsx';
import { Dimmed } from '../ui/parts/dimmed.tsx';
import { Happened, Moment } from '../ui/parts/moment.tsx';
import { QueryView } from '../ui/parts/query-view.tsx';
import { Screen, Section } from '../ui/parts/screen.tsx';
import { BUTTONS, WideTable } from '../ui/parts/wide-table.tsx';
import { useTexts } from '../ui/texts.ts';
import { ExtensionSwitch, WithGuide } from './application/extension-switch.tsx';
import { DeveloperOnly, useApplication } from './application/layout.tsx';
import { useChange, useOwnQuery } from './application/queries.ts';

type Webhook = ApplicationWebhooks['webhooks'][number];

/** Integrations for existing programs, without code. */
export function Component() {
  const t = useTexts();
  return (
    <Screen title={t('console.application.integrations')} lead={t('console.integrations.lead')} size="lg">
      <IncomingWebhooks />
      <Mcp />
    </Screen>
  );
}

/** Incoming webhooks: the owner's switch, settings for tools, and the URLs created by administrators of groups. */
function IncomingWebhooks() {
  const t = useTexts();
  const isOn = useApplication().extensions.includes('incoming_webhooks');
  return (
    <Section
      title={t('console.integrations.webhooks')}
      lead={
        <WithGuide href="/docs/guide/incoming-webhooks">{t('console.integrations.webhooksLead')}</WithGuide>
      }
    >
      <Stack>
        <ExtensionSwitch
          extension="incoming_webhooks"
          label={t('console.integrations.webhooks')}
          hint={t('console.integrations.webhooksHint')}
        />
        {isOn && <Settings />}
        <QueryView query={useOwnQuery('GET /applications/:appId/incoming-webhooks')}>
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
      <Dimmed>{t('console.integrations.yourAddress')}</Dimmed>
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
      <DeveloperOnly>
        <WideTable
          label={t('console.integrations.made')}
          minWidth={720}
          verticalSpacing="sm"
          items={webhooks}
          empty={<Text size="sm">{t('console.integrations.none')}</Text>}
          keyOf={({ webhookId }) => webhookId}
          columns={[
            [t('console.integrations.name'), ({ name }) => name],
            [
              t('console.integrations.group'),
              ({ groupName }) => groupName ?? t('console.integrations.groupGone'),
            ],
            [t('console.integrations.created'), ({ createdAt }) => <Moment at={createdAt} />],
            [
              t('console.integrations.lastUsed'),
              ({ lastUsedAt }) => <Happened at={lastUsedAt} never={t('console.integrations.never')} />,
            ],
            ['', (webhook) => <Revoke webhook={webhook} />, BUTTONS],
          ]}
        />
      </DeveloperOnly>
    </>
  );
}

function Revoke({ webhook: { webhookId, name } }: { webhook: Webhook }) {
  const t = useTexts();
  const revoke = useChange('DELETE /applications/:appId/incoming-webhooks', {
    done: t('console.integrations.revoked'),
  });
  return (
    <ConfirmButton
      size="compact-sm"
      label={t('console.integrations.revoke')}
      title={t('console.integrations.revokeTitle', { name })}
      text={t('console.integrations.revokeText')}
      {...confirms(revoke, { body: { webhookId } })}
    />
  );
}

/** The Model Context Protocol: the owner's switch, and settings for assistants. */
function Mcp() {
  const t = useTexts();
  const { extensions } = useApplication();
  const url = `${location.origin}/mcp`;
  return (
    <Section
      title={t('console.integrations.mcp')}
      lead={<WithGuide href="/docs/guide/mcp">{t('console.integrations.mcpLead')}</WithGuide>}
    >
      <Stack>
        <ExtensionSwitch
          extension="mcp"
          label={t('console.integrations.mcp')}
          hint={t('console.integrations.mcpHint')}
        />
        {extensions.includes('mcp') && (
          <>
            <CopyField label={t('console.integrations.mcpUrl')} value={url} />
            <CopyField label={t('console.integrations.vsCode')} isBlock value={vsCodeMcpJson(url)} />
            <CopyField label={t('console.integrations.claudeCode')} isBlock value={mcpJson(url)} />
            <Dimmed>{t('console.integrations.mcpKey')}</Dimmed>
          </>
        )}
      </Stack>
    </Section>
  );
}

/** The receiver in `alertmanager.yml`. */
function alertmanagerSettings(url: string): string {
  return ['receivers:', '  - name: parley', '    webhook_configs:', `      - url: ${url}`].join('\n');
}

/** A file for Grafana's `provisioning/alerting` folder. */
function grafanaSettings(url: string): string {
  return [
    'apiVersion: 1',
    'contactPoints:',
    '  - orgId: 1',
    '    name: Parley',
    '    receivers:',
    '      - uid: parley',
    '        type: webhook',
    '        settings:',
    `          url: ${url}`,
  ].join('\n');
}

/** The fields of GitHub's form. */
function gitHubSettings(url: string): string {
  return [`Payload URL:  ${url}`, 'Content type: application/json'].join('\n');
}

/** For scripts. */
function curlCommand(url: string): string {
  return [`curl ${url} \\`, `  --header 'content-type: application/json' --data '{"text":"Hello"}'`].join(
    '\n',
  );
}

/** VS Code prompts for the key and stores it. */
function vsCodeMcpJson(url: string): string {
  return inJson({
    servers: { parley: serverAt(url, 'input:parley-key') },
    inputs: [{ type: 'promptString', id: 'parley-key', description: 'API key of the bot', password: true }],
  });
}

/** For Claude Code and other readers of `.mcp.json`: the key comes from the environment. */
function mcpJson(url: string): string {
  return inJson({ mcpServers: { parley: serverAt(url, 'PARLEY_API_KEY') } });
}

/** @param key the variable that the assistant replaces with the key */
function serverAt(url: string, key: string): object {
  return { type: 'http', url, headers: { Authorization: `Bearer \${${key}}` } };
}

function inJson(settings: object): string {
  return JSON.stringify(settings, null, 2);
}
