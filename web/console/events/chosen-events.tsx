import { Anchor, SimpleGrid } from '@mantine/core';
import { CHOSEN_EVENT_TYPES } from '#contract/webhooks/event-types.ts';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ExtensionSwitch } from '../application/extension-switch.tsx';

/** Events beyond messages, each sent only if the owner chose it. */
export function ChosenEvents() {
  const t = useTexts();
  return (
    <Section
      title={t('console.events.chosenTitle')}
      lead={
        <>
          {t('console.events.chosenLead')}{' '}
          <Anchor href="/docs/guide/webhooks#events-that-you-choose" inherit underline="always">
            {t('console.integrations.guide')}
          </Anchor>
        </>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {CHOSEN_EVENT_TYPES.map((type) => (
          <ExtensionSwitch key={type} extension={type} label={type} hint={t(`console.chosenEvent.${type}`)} />
        ))}
      </SimpleGrid>
    </Section>
  );
}
