import { Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ApplicationCall, ConnectedApplication, Grant } from '#contract/oauth.ts';
import { confirms, useChangeOf } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Happened, Moment } from '../../ui/parts/moment.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { useTexts } from '../../ui/texts.ts';
import { callsQuery, connectionsKey, revokeConnection } from './queries.ts';

/** One connected application: its scopes, consents and calls. */
export function Connection({
  application: { appId, name, isConnected, scopes, grants },
}: {
  application: ConnectedApplication;
}) {
  const t = useTexts();
  const revoke = useChangeOf([connectionsKey], (grantId?: string) => revokeConnection(appId, grantId), {
    done: t('chat.application.revoked'),
  });
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
