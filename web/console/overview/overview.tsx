import { SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { Failing } from './failing.tsx';
import { Figures } from './figures.tsx';
import { NextSteps } from './next-steps.tsx';
import { overviewQuery } from './queries.ts';
import { QuotaLeft } from './quota-left.tsx';
import { overviewTexts } from './texts.ts';

/** The state of an application: its last 24 hours, current failures, remaining quota, and next steps. */
export function Component() {
  const t = useTexts(overviewTexts);
  const { appId, createdAt } = useApplication();
  const overview = useQuery(overviewQuery(appId));
  return (
    <Screen title={t.title} size="lg">
      <NextSteps hasSent={overview.data?.hours.some(({ sends }) => sends > 0) ?? true} />
      <QueryView query={overview}>
        {(found) => (
          <>
            <Figures overview={found} />
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
              <Failing groups={found.failing} />
              <QuotaLeft busiest={found.busiest} />
            </SimpleGrid>
          </>
        )}
      </QueryView>
      <Section title={t.identifiers}>
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <CopyField label={t.appId} value={appId} hint={t.clientIdHint} />
          <CopyField label={t.baseUrl} value={location.origin} />
        </SimpleGrid>
        <Text size="sm" c="dimmed">
          {t.created} <Moment at={createdAt} />
        </Text>
      </Section>
    </Screen>
  );
}
