import { Accordion, Badge, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { IconAppWindow } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { ApplicationCall, ConnectedApplication, Grant } from '#contract/oauth.ts';
import { callChat } from '../../ui/api.ts';
import { confirms, useChangeOf } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { Happened, Moment } from '../../ui/parts/moment.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Avatar } from '../media/avatar.tsx';
import { Page } from '../parts/page.tsx';
import { callsQuery, connectionsKey, connectionsQuery } from './queries.ts';

/** The applications that the person gave access to. The open one is in the URL. */
export function Component() {
  const t = useTexts();
  const connections = useInfiniteQuery(connectionsQuery);
  const [search, setSearch] = useSearchParams();
  return (
    <Page title={t('chat.settings.applications')} lead={t('chat.application.lead')} back="/settings">
      <Pages
        query={connections}
        items={(page) => page.applications}
        empty={
          <Empty icon={<IconAppWindow />} title={t('chat.application.none')}>
            {t('chat.application.noneText')}
          </Empty>
        }
      >
        {(list) => (
          <Accordion
            value={search.get('app')}
            onChange={(appId) => setSearch(appId ? { app: appId } : {}, { replace: true })}
            variant="separated"
          >
            {list.map((application) => (
              <Accordion.Item key={application.appId} value={application.appId}>
                <Accordion.Control>
                  <Heading application={application} />
                </Accordion.Control>
                <Accordion.Panel>
                  {search.get('app') === application.appId && <Connection application={application} />}
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )}
      </Pages>
    </Page>
  );
}

function Heading({
  application: { appId, name, isDeleted, isConnected, firstGrantedAt, lastUsedAt, clientUrl },
}: {
  application: ConnectedApplication;
}) {
  const t = useTexts();
  const shownName = isDeleted ? t('chat.application.deletedApplication') : name;
  return (
    <Group wrap="nowrap" gap="sm">
      <Avatar name={shownName} seed={appId} />
      <div style={{ minWidth: 0, flex: 1 }}>
        <Text fw={600} truncate>
          {shownName}
        </Text>
        {clientUrl !== undefined && (
          <Text size="xs">{t('chat.application.notRegistered', { host: new URL(clientUrl).host })}</Text>
        )}
        <Dimmed size="xs">
          {t('chat.application.since')} <Moment at={firstGrantedAt} />
          {' · '}
          <Happened
            words={t('chat.application.lastUsed')}
            at={lastUsedAt}
            never={t('chat.application.neverUsed')}
          />
        </Dimmed>
      </div>
      {!isConnected && <Badge color="gray">{t('chat.application.ended')}</Badge>}
    </Group>
  );
}

/** One connected application: its scopes, consents and calls. */
function Connection({
  application: { appId, name, isConnected, scopes, grants },
}: {
  application: ConnectedApplication;
}) {
  const t = useTexts();
  const revoke = useChangeOf(
    [connectionsKey],
    (grantId?: string) =>
      callChat('POST /connected-applications/revoke', { body: { appId, ...(grantId && { grantId }) } }),
    { done: t('chat.application.revoked') },
  );
  return (
    <Stack>
      {isConnected ? (
        <div>
          <Text size="sm">{t('chat.application.mayNow')}</Text>
          <List size="sm">
            {scopes.map((scope) => (
              <List.Item key={scope}>{t.find(`chat.scope.${scope}`) ?? scope}</List.Item>
            ))}
          </List>
        </div>
      ) : (
        <Text size="sm">{t('chat.application.mayNothing')}</Text>
      )}
      {isConnected && (
        <ConfirmButton
          w="fit-content"
          color="red"
          variant="light"
          label={t('chat.application.revoke')}
          title={t('chat.application.revokeTitle', { name })}
          text={t('chat.application.revokeText')}
          {...confirms(revoke)}
        />
      )}
      <Stack gap="xs">
        <Title order={2} size="h5">
          {t('chat.application.consents')}
        </Title>
        {grants.map((grant) => (
          <Consent
            key={grant.grantId}
            grant={grant}
            isOnly={grants.filter((one) => one.endedAt === undefined).length === 1}
            onRevoke={() => revoke.mutate(grant.grantId)}
          />
        ))}
      </Stack>
      <Calls appId={appId} />
    </Stack>
  );
}

function Consent({
  grant: { scopes, grantedAt, endedAt },
  isOnly,
  onRevoke,
}: {
  grant: Grant;
  /** Then revoking it is the same as revoking all access. */
  isOnly: boolean;
  onRevoke: () => void;
}) {
  const t = useTexts();
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div>
        <Text size="sm">{scopes.map((scope) => t.find(`chat.scope.${scope}`) ?? scope).join(', ')}</Text>
        <Dimmed size="xs">
          {t('chat.application.consentGiven')} <Moment at={grantedAt} />
          {endedAt !== undefined && ' · '}
          <Happened words={t('chat.application.consentEnded')} at={endedAt} />
        </Dimmed>
      </div>
      {endedAt === undefined && !isOnly && (
        <Button variant="default" size="compact-sm" onClick={onRevoke} style={{ flex: 'none' }}>
          {t('chat.application.revokeOne')}
        </Button>
      )}
    </Group>
  );
}

/** The call log of an application: each call that it made on behalf of the person. */
function Calls({ appId }: { appId: string }) {
  const t = useTexts();
  const calls = useInfiniteQuery(callsQuery(appId));
  return (
    <Stack gap="xs">
      <div>
        <Title order={2} size="h5">
          {t('chat.application.calls')}
        </Title>
        <Dimmed size="xs">{t('chat.application.callsLead')}</Dimmed>
      </div>
      <Pages
        query={calls}
        items={(page) => page.calls}
        empty={<Text size="sm">{t('chat.application.noCalls')}</Text>}
      >
        {(list) => list.map((call) => <Call key={call.requestId} call={call} />)}
      </Pages>
    </Stack>
  );
}

function Call({ call: { method, path, status, calledAt } }: { call: ApplicationCall }) {
  const t = useTexts();
  const name = `${method} ${path}`;
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs" align="baseline">
      <Text size="sm" title={name}>
        {t.find(`chat.call.${name}`) ?? name}
        {status >= 400 && (
          <Text span size="sm" c="red">
            {' '}
            {t('chat.application.refused', { status })}
          </Text>
        )}
      </Text>
      <Dimmed size="xs" style={{ flex: 'none' }}>
        <Moment at={calledAt} />
      </Dimmed>
    </Group>
  );
}
