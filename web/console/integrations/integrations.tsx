import { Anchor, Stack, Text } from '@mantine/core';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ExtensionSwitch } from '../application/extension-switch.tsx';
import { useApplication } from '../application/layout.tsx';
import { IncomingWebhooks } from './incoming-webhooks.tsx';
import { mcpJson, vsCodeMcpJson } from './settings.ts';

/** Integrations for existing programs, without code. */
export function Component() {
  const t = useTexts();
  return (
    <Screen title={t('console.integrations.title')} lead={t('console.integrations.lead')} size="lg">
      <IncomingWebhooks />
      <Mcp />
    </Screen>
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
      lead={
        <>
          {t('console.integrations.mcpLead')}{' '}
          <Anchor href="/docs/guide/mcp" inherit underline="always">
            {t('console.integrations.guide')}
          </Anchor>
        </>
      }
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
            <Text size="sm" c="dimmed">
              {t('console.integrations.mcpKey')}
            </Text>
          </>
        )}
      </Stack>
    </Section>
  );
}
