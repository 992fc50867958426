import { Button, Group, NumberInput, Table, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { OperatedApplication } from '#contract/operate/applications.ts';
import { callOperate } from '../../ui/api.ts';
import { useChangeOf } from '../../ui/parts/change.ts';
import { Form } from '../../ui/parts/form.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Scopes } from '../../ui/parts/scopes.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { formatNumber, useTexts } from '../../ui/texts.ts';
import { Fact, Facts } from '../parts/facts.tsx';
import { applicationQuery, grantsQuery } from '../parts/queries.ts';
import { ReasonButton } from '../parts/reason-button.tsx';
import { Owner } from './applications.tsx';
import { Endpoint } from './endpoint.tsx';
import { applicationTexts, stateTexts } from './texts.ts';

/** One application, and the operator's actions on it. */
export function Component() {
  const { appId = '' } = useParams();
  const application = useQuery(applicationQuery(appId));
  return <QueryView query={application}>{(found) => <Shown application={found} />}</QueryView>;
}

function Shown({ application }: { application: OperatedApplication }) {
  const t = useTexts(applicationTexts);
  const states = useTexts(stateTexts);
  const { appId, name, owner, state, lastDay, requestsPerMinute } = application;
  return (
    <Screen title={name} lead={appId}>
      <Facts>
        <Fact name={owner ? t.owner : t.publishedAt}>
          <Owner application={application} />
        </Fact>
        <Fact name={t.state}>{states[state]}</Fact>
        <Fact name={t.requests}>{formatNumber(lastDay.requests)}</Fact>
        <Fact name={t.errors}>{formatNumber(lastDay.errors)}</Fact>
        <Fact name={t.deliveries}>{formatNumber(lastDay.deliveries)}</Fact>
        <Fact name={t.failed}>{formatNumber(lastDay.failedDeliveries)}</Fact>
        <Fact name={t.quota}>{t.perMinute(formatNumber(requestsPerMinute))}</Fact>
      </Facts>
      <Suspension application={application} />
      <Quota application={application} />
      <Endpoint appId={appId} />
      <Grants appId={appId} />
    </Screen>
  );
}

function Suspension({ application: { appId, state } }: { application: OperatedApplication }) {
  const t = useTexts(applicationTexts);
  const suspend = useChangeOf(
    [['operate']],
    (reason: string) =>
      callOperate('POST /applications/:appId/suspension', { params: { appId }, body: { reason } }),
    {
      done: t.suspended,
    },
  );
  const unsuspend = useChangeOf(
    [['operate']],
    (reason: string) =>
      callOperate('DELETE /applications/:appId/suspension', { params: { appId }, body: { reason } }),
    {
      done: t.unsuspended,
    },
  );
  return (
    <div>
      {state === 'suspended' ? (
        <ReasonButton
          label={t.unsuspend}
          title={t.unsuspend}
          color="teal"
          loading={unsuspend.isPending}
          onGiven={(reason) => unsuspend.mutate(reason)}
        >
          {t.unsuspendText}
        </ReasonButton>
      ) : (
        <ReasonButton
          label={t.suspend}
          title={t.suspendTitle}
          color="red"
          loading={suspend.isPending}
          onGiven={(reason) => suspend.mutate(reason)}
        >
          {t.suspendText}
        </ReasonButton>
      )}
    </div>
  );
}

function Quota({ application: { appId, requestsPerMinute } }: { application: OperatedApplication }) {
  const t = useTexts(applicationTexts);
  const change = useChangeOf(
    [['operate']],
    (given: number) =>
      callOperate('PUT /applications/:appId/quota', {
        params: { appId },
        body: { requestsPerMinute: given },
      }),
    { done: t.quotaChanged },
  );
  return (
    <Section title={t.changeQuota} lead={t.quotaText}>
      <Form onSubmit={(fields) => change.mutate(Number(fields.get('requestsPerMinute')))}>
        <Group align="flex-end" gap="xs">
          <NumberInput
            name="requestsPerMinute"
            label={t.requestsPerMinute}
            defaultValue={requestsPerMinute}
            min={1}
            max={1_000_000_000}
            allowDecimal={false}
            required
          />
          <Button type="submit" variant="default" loading={change.isPending}>
            {t.save}
          </Button>
        </Group>
      </Form>
    </Section>
  );
}

/** The grants that people gave an application, newest first, without their names. */
function Grants({ appId }: { appId: string }) {
  const t = useTexts(applicationTexts);
  const pages = useInfiniteQuery(grantsQuery(appId));
  return (
    <Section title={t.grants} lead={t.grantsLead}>
      <Pages query={pages} items={({ grants }) => grants} empty={<Text c="dimmed">{t.noGrants}</Text>}>
        {(grants) => (
          <WideTable label={t.grants} minWidth={520} columns={[t.granted, t.scopes, t.refreshed, t.ended]}>
            {grants.map(({ grantId, scopes, grantedAt, lastRefreshedAt, endedAt }) => (
              <Table.Tr key={grantId}>
                <Table.Td>
                  <Moment at={grantedAt} />
                </Table.Td>
                <Table.Td>
                  <Scopes scopes={scopes} />
                </Table.Td>
                <Table.Td>{lastRefreshedAt !== undefined && <Moment at={lastRefreshedAt} />}</Table.Td>
                <Table.Td>{endedAt === undefined ? t.holds : <Moment at={endedAt} />}</Table.Td>
              </Table.Tr>
            ))}
          </WideTable>
        )}
      </Pages>
    </Section>
  );
}
