import { Anchor, Stack, Text } from '@mantine/core';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ExtensionSwitch } from '../application/extension-switch.tsx';
import { useApplication } from '../application/layout.tsx';
import { IncomingWebhooks } from './incoming-webhooks.tsx';
import { mcpJson, vsCodeMcpJson } from './settings.ts';
import { integrationsTexts } from './texts.ts';

/** Integrations for existing programs, without code. */
export function Component() {
  const t = useTexts(integrationsTexts);
  return (
    <Screen title={t.title} lead={t.lead} size="lg">
      <IncomingWebhooks />
      <Mcp />
    </Screen>
  );
}

/** The Model Context Protocol: the owner's switch, and settings for assistants. */
function Mcp() {
  const t = useTexts(integrationsTexts);
  const { extensions } = useApplication();
  const url = `${location.origin}/mcp`;
  return (
    <Section
      title={t.mcp}
      lead={
        <>
          {t.mcpLead}{' '}
          <Anchor href="/docs/guide/mcp" inherit underline="always">
            {t.guide}
          </Anchor>
        </>
      }
    >
      <Stack>
        <ExtensionSwitch extension="mcp" label={t.mcp} hint={t.mcpHint} />
        {extensions.includes('mcp') && (
          <>
            <CopyField label={t.mcpUrl} value={url} />
            <CopyField label={t.vsCode} isBlock value={vsCodeMcpJson(url)} />
            <CopyField label={t.claudeCode} isBlock value={mcpJson(url)} />
            <Text size="sm" c="dimmed">
              {t.mcpKey}
            </Text>
          </>
        )}
      </Stack>
    </Section>
  );
}
