import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { IconBuilding, IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { Identities as Listed } from '#contract/accounts/providers.ts';
import type { Passkey } from '#contract/accounts/second-factors.ts';
import { callAuth } from '../api.ts';
import { confirms, runs, useChangeOf } from '../parts/change.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Dimmed } from '../parts/dimmed.tsx';
import { Happened, Moment } from '../parts/moment.tsx';
import { Bars, QueryRows } from '../parts/query-view.tsx';
import { Section } from '../parts/screen.tsx';
import { identitiesQuery, passkeysQuery } from '../session/means.ts';
import { withAuthenticator } from '../session/passkey.ts';
import { useTexts } from '../texts.ts';
import { accountKeys, useAccountChange } from './queries.ts';

export function Passkeys() {
  const t = useTexts();
  const [isNaming, setNaming] = useState(false);
  const add = useChangeOf(
    accountKeys,
    async (name: string) => {
      const { ticket, options } = await callAuth('POST /passkeys/options');
      const response = await withAuthenticator(({ startRegistration }) =>
        startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
      );
      await callAuth('POST /passkeys', { body: { ticket, name, response } });
    },
    { done: t('ui.account.passkeyAdded'), onSuccess: () => setNaming(false) },
  );
  return (
    <Section title={t('ui.account.passkeys')} lead={t('ui.account.passkeysLead')}>
      <QueryRows
        query={useQuery(passkeysQuery)}
        empty={<Text size="sm">{t('ui.account.noPasskeys')}</Text>}
        gap="xs"
      >
        {(passkey) => <Row key={passkey.passkeyId} passkey={passkey} />}
      </QueryRows>
      <Button w="fit-content" variant="default" loading={add.isPending} onClick={() => setNaming(true)}>
        {t('ui.account.addPasskey')}
      </Button>
      <NameModal
        opened={isNaming}
        title={t('ui.account.addPasskey')}
        loading={add.isPending}
        onClose={() => setNaming(false)}
        onName={(name) => add.mutate(name)}
      />
    </Section>
  );
}

function Row({ passkey: { passkeyId, name, createdAt, lastUsedAt, isSynced } }: { passkey: Passkey }) {
  const t = useTexts();
  const [isNaming, setNaming] = useState(false);
  const rename = useAccountChange('PATCH /passkeys/:passkeyId', {
    done: t('ui.account.passkeyRenamed'),
    onSuccess: () => setNaming(false),
  });
  const remove = useAccountChange('DELETE /passkeys/:passkeyId', { done: t('ui.account.passkeyRemoved') });
  return (
    <Group justify="space-between" wrap="nowrap">
      <Means
        icon={<IconFingerprint size={20} aria-hidden="true" />}
        name={name}
        since={t('ui.account.created')}
        at={createdAt}
        lastUsedAt={lastUsedAt}
        note={isSynced && t('ui.account.synced')}
      />
      <Group gap={4} wrap="nowrap">
        <ActionIcon aria-label={t('ui.account.renamePasskey', { name })} onClick={() => setNaming(true)}>
          <IconPencil size={18} />
        </ActionIcon>
        <ActionIcon
          aria-label={t('ui.account.removePasskey', { name })}
          {...runs(remove, { params: { passkeyId } })}
        >
          <IconTrash size={18} />
        </ActionIcon>
      </Group>
      <NameModal
        opened={isNaming}
        title={t('ui.account.renamePasskey', { name })}
        first={name}
        loading={rename.isPending}
        onClose={() => setNaming(false)}
        onName={(newName) => rename.mutate({ params: { passkeyId }, body: { name: newName } })}
      />
    </Group>
  );
}

function NameModal({
  first,
  onName,
  ...dialog
}: Omit<ComponentProps<typeof FormDialog>, 'submit' | 'onSubmit' | 'children'> & {
  first?: string;
  onName: (name: string) => void;
}) {
  const t = useTexts();
  return (
    <FormDialog
      {...dialog}
      submit={first === undefined ? t('ui.common.next') : t('ui.common.save')}
      onSubmit={(fields) => onName(String(fields.get('name')))}
    >
      <TextInput
        name="name"
        label={t('ui.account.passkeyName')}
        description={t('ui.account.passkeyNameHint')}
        defaultValue={first}
        maxLength={64}
        required
        data-autofocus
      />
    </FormDialog>
  );
}

/** The providers through which the person signs in; nothing where the server has none. */
export function Identities() {
  const t = useTexts();
  const { data, isLoading } = useQuery(identitiesQuery);
  const connect = useAccountChange('POST /identities/:providerId', {
    onSuccess: ({ url }) => location.assign(url),
  });
  if (isLoading) return <Bars count={1} />;
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

/** A means of signing in: since when there is one, and when it was last used. */
function Means({
  icon,
  name,
  since,
  at,
  lastUsedAt,
  note,
}: {
  icon: ReactNode;
  name: string;
  /** The word before the time. */
  since: string;
  at: number;
  lastUsedAt: number | undefined;
  note?: string | false;
}) {
  const t = useTexts();
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      {icon}
      <div style={{ minWidth: 0 }}>
        <Text truncate>{name}</Text>
        <Dimmed size="xs">
          {since} <Moment at={at} />
          {lastUsedAt !== undefined && ' · '}
          <Happened words={t('ui.account.used')} at={lastUsedAt} />
          {note && ` · ${note}`}
        </Dimmed>
      </div>
    </Group>
  );
}
