import { Anchor, Badge, Group } from '@mantine/core';
import { IconApps } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { OperatedApplication } from '#contract/operate/applications.ts';
import { isFailing } from '#contract/rights.ts';
import { Moment } from '../../ui/parts/moment.tsx';
import { Failed } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ApplicationLink } from '../parts/facts.tsx';
import { operateQuery } from '../parts/queries.ts';
import { SearchScreen, useSearched } from '../parts/search.tsx';

/** The search for an application. */
export function Component() {
  const t = useTexts();
  const searched = useSearched();
  const applications = useQuery({
    ...operateQuery('GET /applications', { query: { query: searched } }),
    select: ({ applications: list }) => list,
    enabled: searched !== '',
  });
  return (
    <SearchScreen
      about="applications"
      icon={<IconApps />}
      query={applications}
      below={<Failing />}
      keyOf={({ appId }) => appId}
      columns={[
        [t('operate.application.name'), (one) => <ApplicationLink application={one} />],
        [t('operate.application.owner'), (one) => <Owner application={one} />],
        [
          t('operate.application.state'),
          ({ state, isEndpointFailing, lastDay }) => (
            <Group gap={4}>
              <Badge color={COLORS[state]}>{t(`operate.applicationState.${state}`)}</Badge>
              {(isEndpointFailing || isFailing([lastDay])) && (
                <Badge color="orange">
                  {isEndpointFailing
                    ? t('operate.application.failing')
                    : t('operate.application.deliveriesFail')}
                </Badge>
              )}
            </Group>
          ),
        ],
      ]}
    />
  );
}

/** The origin of a published client. */
export function Owner({ application: { owner, clientUrl } }: { application: OperatedApplication }) {
  if (!owner) return clientUrl;
  return (
    <Anchor component={Link} to={`/people/${owner.accountId}`} inherit>
      {owner.name}
    </Anchor>
  );
}

const COLORS = { active: 'teal', disabled: 'gray', suspended: 'red' } as const;

/** Endpoints that do not respond, if any. */
function Failing() {
  const t = useTexts();
  const failing = useQuery(operateQuery('GET /failing-endpoints'));
  const endpoints = failing.data?.endpoints ?? [];
  if (endpoints.length === 0) return <Failed query={failing} />;
  return (
    <Section title={t('operate.application.failingEndpoints')} lead={t('operate.application.failingLead')}>
      <WideTable
        label={t('operate.application.failingEndpoints')}
        minWidth={360}
        items={endpoints}
        keyOf={({ appId }) => appId}
        columns={[
          [t('operate.application.name'), (one) => <ApplicationLink application={one} />],
          [t('operate.application.openSince'), ({ breakerOpenedAt }) => <Moment at={breakerOpenedAt} />],
        ]}
      />
    </Section>
  );
}
