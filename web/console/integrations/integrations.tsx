import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { IncomingWebhooks } from './incoming-webhooks.tsx';
import { Mcp } from './mcp.tsx';
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
