import { Button, Group, Stack } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Identities as Listed } from '#contract/accounts/providers.ts';
import { confirms } from '../parts/change.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Section } from '../parts/screen.tsx';
import { identitiesQuery } from '../session/means.ts';
import { useTexts } from '../texts.ts';
import { Means } from './means.tsx';
import { useAccountChange } from './queries.ts';

/** The providers through which the person signs in; nothing where the server has none. */
export function Identities() {
  const t = useTexts();
  const { data } = useQuery(identitiesQuery);
  const connect = useAccountChange('POST /identities/:providerId', {
    onSuccess: ({ url }) => location.assign(url),
  });
  if (!data || data.identities.length + data.others.length === 0) return null;
  const returnTo = location.pathname + location.search;
  return (
    <Section title={t('ui.account.identities')} lead={t('ui.account.identitiesLead')}>
      <Stack gap="xs">
        {data.identities.map((identity) => (
          <Identity key={identity.providerId} identity={identity} />
        ))}
        {data.others.map(({ providerId, name }) => (
          <div key={providerId}>
            <Button
              variant="default"
              loading={connect.isPending && connect.variables?.params.providerId === providerId}
              onClick={() => connect.mutate({ params: { providerId }, body: { returnTo } })}
            >
              {t('ui.account.connect', { name })}
            </Button>
          </div>
        ))}
      </Stack>
    </Section>
  );
}

function Identity({
  identity: { providerId, name, userName, isManaged, connectedAt, lastUsedAt },
}: {
  identity: Listed['identities'][number];
}) {
  const t = useTexts();
  const disconnect = useAccountChange('DELETE /identities/:providerId', {
    done: t('ui.account.disconnected'),
  });
  return (
    <Group justify="space-between" wrap="nowrap">
      <Means
        icon={<IconBuilding size={20} aria-hidden="true" style={{ flexShrink: 0 }} />}
        name={userName === undefined ? name : `${name} · ${userName}`}
        since={t('ui.account.connected')}
        at={connectedAt}
        lastUsedAt={lastUsedAt}
        note={isManaged && t('ui.account.managed')}
      />
      {!isManaged && (
        <ConfirmButton
          size="compact-sm"
          label={t('ui.account.disconnect')}
          title={t('ui.account.disconnectFrom', { name })}
          text={t('ui.account.disconnectText')}
          {...confirms(disconnect, { params: { providerId } })}
        />
      )}
    </Group>
  );
}
