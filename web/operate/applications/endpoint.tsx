import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { OperatedEndpoint } from '#contract/operate/applications.ts';
import { Moment } from '../../ui/parts/moment.tsx';
import { Bars, QueryView } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { formatNumber, useTexts } from '../../ui/texts.ts';
import { Fact, Facts } from '../parts/facts.tsx';
import { endpointQuery } from '../parts/queries.ts';

// The chart library is larger than the rest of the console.
const Traffic = lazy(() => import('./traffic.tsx'));

/** The queue of an application's endpoint, its reachability, and a day's traffic. */
export function Endpoint({ appId }: { appId: string }) {
  const t = useTexts();
  const endpoint = useQuery(endpointQuery(appId));
  return (
    <QueryView query={endpoint}>
      {(found) => (
        <>
          <Section title={t('operate.application.endpoint')}>
            <Shown endpoint={found} />
          </Section>
          <Section title={t('operate.application.traffic')}>
            <Suspense fallback={<Bars />}>
              <Traffic hours={found.hours} />
            </Suspense>
          </Section>
        </>
      )}
    </QueryView>
  );
}

function Shown({
  endpoint: { host, breakerOpenedAt, waiting, oldestDueAt },
}: {
  endpoint: OperatedEndpoint;
}) {
  const t = useTexts();
  return (
    <Facts>
      <Fact name={t('operate.application.host')}>{host ?? t('operate.application.noHost')}</Fact>
      <Fact name={t('operate.application.breaker')}>
        {breakerOpenedAt === undefined ? (
          t('operate.application.answering')
        ) : (
          <>
            {t('operate.application.openSince')} <Moment at={breakerOpenedAt} />
          </>
        )}
      </Fact>
      <Fact name={t('operate.application.waiting')}>{formatNumber(waiting)}</Fact>
      {oldestDueAt !== undefined && (
        <Fact name={t('operate.application.oldest')}>
          <Moment at={oldestDueAt} />
        </Fact>
      )}
    </Facts>
  );
}
