import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import type { Passkey } from '#contract/accounts/second-factors.ts';
import { callAuth } from '../api.ts';
import { runs, useChangeOf } from '../parts/change.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { QueryRows } from '../parts/query-view.tsx';
import { Section } from '../parts/screen.tsx';
import { passkeysQuery } from '../session/means.ts';
import { withAuthenticator } from '../session/passkey.ts';
import { useTexts } from '../texts.ts';
import { Means } from './means.tsx';
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
