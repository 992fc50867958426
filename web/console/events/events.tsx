import { Tabs } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { DeveloperOnly } from '../application/developer-only.tsx';
import { EndpointAudit } from './endpoint-audit.tsx';
import { EventLog } from './event-log.tsx';
import { FilesNotice } from './files-notice.tsx';
import { SignatureCheck } from './signature-check.tsx';
import { Simulation } from './simulation.tsx';
import { eventsTexts } from './texts.ts';
import { WebhookUrl } from './webhook-url.tsx';

/** The webhook URL, the event log, and ways to test the receiver. */
export function Component() {
  const t = useTexts(eventsTexts);
  const [query, setQuery] = useSearchParams();
  const open = (tool: string | null) =>
    setQuery(
      (before) => {
        if (tool) before.set('tool', tool);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <Screen title={t.title} lead={t.lead} size="lg">
      <DeveloperOnly>
        <WebhookUrl />
      </DeveloperOnly>
      <FilesNotice />
      <EventLog />
      <Section title={t.tools}>
        <Tabs value={query.get('tool') ?? 'simulate'} onChange={open} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="simulate">{t.simulate}</Tabs.Tab>
            <Tabs.Tab value="signature">{t.checkSignature}</Tabs.Tab>
            <Tabs.Tab value="audit">{t.audit}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="simulate">
            <DeveloperOnly>
              <Simulation />
            </DeveloperOnly>
          </Tabs.Panel>
          <Tabs.Panel value="signature">
            <DeveloperOnly>
              <SignatureCheck />
            </DeveloperOnly>
          </Tabs.Panel>
          <Tabs.Panel value="audit">
            <DeveloperOnly>
              <EndpointAudit />
            </DeveloperOnly>
          </Tabs.Panel>
        </Tabs>
      </Section>
    </Screen>
  );
}
