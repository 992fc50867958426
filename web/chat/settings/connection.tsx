import { Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApplicationCall, ConnectedApplication, Grant } from '#contract/oauth.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { showError, tell } from '../../ui/parts/faults.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { useTexts } from '../../ui/texts.ts';
import { callsQuery, connectionsKey, revokeConnection } from './queries.ts';
import { applicationTexts, callTexts, scopeTexts } from './texts.ts';

/** One connected application: its scopes, consents and calls. */
export function Connection({
  application: { appId, name, isConnected, scopes, grants },
}: {
  application: ConnectedApplication;
}) {
  const t = useTexts(applicationTexts);
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: (grantId?: string) => revokeConnection(appId, grantId),
    onSuccess: () => {
      tell(t.revoked);
      return client.invalidateQueries({ queryKey: connectionsKey });
    },
    onError: showError,
  });
  return (
    <Stack>
      {isConnected ? (
        <div>
          <Text size="sm">{t.mayNow}</Text>
          <Scopes scopes={scopes} />
        </div>
      ) : (
        <Text size="sm">{t.mayNothing}</Text>
      )}
      {isConnected && (
        <div>
          <ConfirmButton
            color="red"
            variant="light"
            label={t.revoke}
            title={t.revokeTitle(name)}
            loading={revoke.isPending}
            onConfirm={() => revoke.mutate(undefined)}
          >
            {t.revokeText}
          </ConfirmButton>
        </div>
      )}
      <Stack gap="xs">
        <Title order={2} size="h5">
          {t.consents}
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

function Scopes({ scopes }: { scopes: readonly string[] }) {
  const words: Record<string, string> = useTexts(scopeTexts);
  return (
    <List size="sm">
      {scopes.map((scope) => (
        <List.Item key={scope}>{words[scope] ?? scope}</List.Item>
      ))}
    </List>
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
  const t = useTexts(applicationTexts);
  const words: Record<string, string> = useTexts(scopeTexts);
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div>
        <Text size="sm">{scopes.map((scope) => words[scope] ?? scope).join(', ')}</Text>
        <Text size="xs" c="dimmed">
          {t.consentGiven} <Moment at={grantedAt} />
          {endedAt !== undefined && (
            <>
              {' · '}
              {t.consentEnded} <Moment at={endedAt} />
            </>
          )}
        </Text>
      </div>
      {endedAt === undefined && !isOnly && (
        <Button variant="default" size="compact-sm" onClick={onRevoke} style={{ flex: 'none' }}>
          {t.revokeOne}
        </Button>
      )}
    </Group>
  );
}

/** The call log of an application: each call that it made on behalf of the person. */
function Calls({ appId }: { appId: string }) {
  const t = useTexts(applicationTexts);
  const calls = useInfiniteQuery(callsQuery(appId));
  return (
    <Stack gap="xs">
      <div>
        <Title order={2} size="h5">
          {t.calls}
        </Title>
        <Text size="xs" c="dimmed">
          {t.callsLead}
        </Text>
      </div>
      <Pages query={calls} items={(page) => page.calls} empty={<Text size="sm">{t.noCalls}</Text>}>
        {(list) => list.map((call) => <Call key={call.requestId} call={call} />)}
      </Pages>
    </Stack>
  );
}

function Call({ call: { method, path, status, calledAt } }: { call: ApplicationCall }) {
  const t = useTexts(applicationTexts);
  const words = useTexts(callTexts);
  const name = `${method} ${path}`;
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs" align="baseline">
      <Text size="sm" title={name}>
        {words[name] ?? name}
        {status >= 400 && (
          <Text span size="sm" c="red">
            {' '}
            {t.refused(status)}
          </Text>
        )}
      </Text>
      <Text size="xs" c="dimmed" style={{ flex: 'none' }}>
        <Moment at={calledAt} />
      </Text>
    </Group>
  );
}
