import { NumberInput, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useParams } from 'react-router';
import type { OperatedApplication } from '#contract/operate/applications.ts';
import { FormLine, Submit } from '../../ui/parts/form.tsx';
import { Happened, Moment } from '../../ui/parts/moment.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { Bars, QueryView } from '../../ui/parts/query-view.tsx';
import { Scopes } from '../../ui/parts/scopes.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { formatNumber, useTexts } from '../../ui/texts.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Facts } from '../parts/facts.tsx';
import { operatePages, operateQuery, useOperateChange } from '../parts/queries.ts';
import { Owner } from './applications.tsx';

// The chart library is larger than the rest of the console.
const Traffic = lazy(() => import('./traffic.tsx'));

/** One application, and the operator's actions on it. */
export function Component() {
  const { appId = '' } = useParams();
  return (
    <QueryView query={useQuery(operateQuery('GET /applications/:appId', { params: { appId } }))}>
      {(application) => <Shown application={application} />}
    </QueryView>
  );
}

function Shown({ application }: { application: OperatedApplication }) {
  const t = useTexts();
  const { appId, name, owner, state, lastDay, requestsPerMinute } = application;
  return (
    <Screen title={name} lead={appId}>
      <Facts
        facts={{
          [owner ? t('operate.application.owner') : t('operate.application.publishedAt')]: (
            <Owner application={application} />
          ),
          [t('operate.application.state')]: t(`operate.applicationState.${state}`),
          [t('operate.application.requests')]: formatNumber(lastDay.requests),
          [t('operate.application.errors')]: formatNumber(lastDay.errors),
          [t('operate.application.deliveries')]: formatNumber(lastDay.deliveries),
          [t('operate.application.failed')]: formatNumber(lastDay.failedDeliveries),
          [t('operate.application.quota')]: t('operate.application.perMinute', {
            count: formatNumber(requestsPerMinute),
          }),
        }}
      />
      <div>
        {state === 'suspended' ? (
          <ActButton key="lift" act="application.unsuspended" params={{ appId }} />
        ) : (
          <ActButton act="application.suspended" params={{ appId }} />
        )}
      </div>
      <Quota application={application} />
      <Endpoint appId={appId} />
      <Grants appId={appId} />
    </Screen>
  );
}

function Quota({ application: { appId, requestsPerMinute } }: { application: OperatedApplication }) {
  const t = useTexts();
  const change = useOperateChange('PUT /applications/:appId/quota', {
    done: t('operate.application.quotaChanged'),
  });
  return (
    <Section title={t('operate.application.changeQuota')} lead={t('operate.application.quotaText')}>
      <FormLine
        onSubmit={(fields) =>
          change.mutate({
            params: { appId },
            body: { requestsPerMinute: Number(fields.get('requestsPerMinute')) },
          })
        }
        gap="xs"
      >
        <NumberInput
          name="requestsPerMinute"
          label={t('operate.application.requestsPerMinute')}
          defaultValue={requestsPerMinute}
          min={1}
          max={1_000_000_000}
          required
        />
        <Submit of={change} variant="default">
          {t('ui.common.save')}
        </Submit>
      </FormLine>
    </Section>
  );
}

/** The queue of an application's endpoint, its reachability, and a day's traffic. */
function Endpoint({ appId }: { appId: string }) {
  const t = useTexts();
  const endpoint = useQuery({
    ...operateQuery('GET /applications/:appId/endpoint', { params: { appId } }),
    refetchInterval: 15_000,
  });
  return (
    <QueryView query={endpoint}>
      {(found) => (
        <>
          <Section title={t('operate.application.endpoint')}>
            <Facts
              facts={{
                [t('operate.application.host')]: found.host ?? t('operate.application.noHost'),
                [t('operate.application.breaker')]: (
                  <Happened
                    words={t('operate.application.openSince')}
                    at={found.breakerOpenedAt}
                    never={t('operate.application.answering')}
                  />
                ),
                [t('operate.application.waiting')]: formatNumber(found.waiting),
                ...(found.oldestDueAt !== undefined && {
                  [t('operate.application.oldest')]: <Moment at={found.oldestDueAt} />,
                }),
              }}
            />
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

/** The grants that people gave an application, newest first, without their names. */
function Grants({ appId }: { appId: string }) {
  const t = useTexts();
  const pages = useInfiniteQuery(operatePages('GET /applications/:appId/grants', { params: { appId } }));
  return (
    <Section title={t('operate.application.grants')} lead={t('operate.application.grantsLead')}>
      <Pages
        query={pages}
        items={({ grants }) => grants}
        empty={<Text c="dimmed">{t('operate.application.noGrants')}</Text>}
      >
        {(grants) => (
          <WideTable
            label={t('operate.application.grants')}
            minWidth={520}
            items={grants}
            keyOf={({ grantId }) => grantId}
            columns={[
              [t('operate.application.granted'), ({ grantedAt }) => <Moment at={grantedAt} />],
              [t('operate.application.scopes'), ({ scopes }) => <Scopes scopes={scopes} />],
              [t('operate.application.refreshed'), ({ lastRefreshedAt: at }) => <Happened at={at} />],
              [
                t('operate.application.ended'),
                ({ endedAt }) => <Happened at={endedAt} never={t('operate.application.holds')} />,
              ],
            ]}
          />
        )}
      </Pages>
    </Section>
  );
}
