import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser';
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkey } from '#contract/accounts/second-factors.ts';
import { callAuth } from '../api.ts';
import { commonTexts } from '../common-texts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { Moment } from '../parts/moment.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { Section } from '../parts/screen.tsx';
import { inWords } from '../session/passkey.ts';
import { useTexts } from '../texts.ts';
import { passkeysQuery, useAccountChange } from './queries.ts';
import { accountTexts } from './texts.ts';

export function Passkeys() {
  const t = useTexts(accountTexts);
  const passkeys = useQuery(passkeysQuery);
  const [isNaming, setNaming] = useState(false);
  const add = useAccountChange(
    async (name: string) => {
      const { ticket, options } = await callAuth('POST /passkeys/options');
      const response = await inWords(
        startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
      );
      await callAuth('POST /passkeys', { body: { ticket, name, response } });
    },
    { done: t.passkeyAdded },
  );
  return (
    <Section title={t.passkeys} lead={t.passkeysLead}>
      <QueryView query={passkeys}>
        {(list) =>
          list.length === 0 ? (
            <Text size="sm">{t.noPasskeys}</Text>
          ) : (
            <Stack gap="xs">
              {list.map((passkey) => (
                <Row key={passkey.passkeyId} passkey={passkey} />
              ))}
            </Stack>
          )
        }
      </QueryView>
      <div>
        <Button variant="default" loading={add.isPending} onClick={() => setNaming(true)}>
          {t.addPasskey}
        </Button>
      </div>
      <NameModal
        opened={isNaming}
        title={t.addPasskey}
        onClose={() => setNaming(false)}
        onName={(name) => add.mutate(name)}
      />
    </Section>
  );
}

function Row({ passkey: { passkeyId, name, createdAt, lastUsedAt, isSynced } }: { passkey: Passkey }) {
  const t = useTexts(accountTexts);
  const [isNaming, setNaming] = useState(false);
  const rename = useAccountChange(
    (newName: string) =>
      callAuth('PATCH /passkeys/:passkeyId', { params: { passkeyId }, body: { name: newName } }),
    {
      done: t.passkeyRenamed,
    },
  );
  const remove = useAccountChange(() => callAuth('DELETE /passkeys/:passkeyId', { params: { passkeyId } }), {
    done: t.passkeyRemoved,
  });
  return (
    <Group justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <IconFingerprint size={20} aria-hidden="true" />
        <div style={{ minWidth: 0 }}>
          <Text truncate>{name}</Text>
          <Text size="xs" c="dimmed">
            {t.created} <Moment at={createdAt} />
            {lastUsedAt !== undefined && (
              <>
                {' · '}
                {t.used} <Moment at={lastUsedAt} />
              </>
            )}
            {isSynced && ` · ${t.synced}`}
          </Text>
        </div>
      </Group>
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t.renamePasskey(name)}
          onClick={() => setNaming(true)}
        >
          <IconPencil size={18} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t.removePasskey(name)}
          loading={remove.isPending}
          onClick={() => remove.mutate(undefined)}
        >
          <IconTrash size={18} />
        </ActionIcon>
      </Group>
      <NameModal
        opened={isNaming}
        title={t.renamePasskey(name)}
        first={name}
        onClose={() => setNaming(false)}
        onName={(newName) => rename.mutate(newName)}
      />
    </Group>
  );
}

function NameModal({
  opened,
  title,
  first,
  onClose,
  onName,
}: {
  opened: boolean;
  title: string;
  first?: string;
  onClose: () => void;
  onName: (name: string) => void;
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(accountTexts) };
  return (
    <Dialog opened={opened} onClose={onClose} title={title} centered>
      <Form
        onSubmit={(fields) => {
          onClose();
          onName(String(fields.get('name')));
        }}
      >
        <Stack>
          <TextInput
            name="name"
            label={t.passkeyName}
            description={t.passkeyNameHint}
            defaultValue={first}
            maxLength={64}
            required
            data-autofocus
          />
          <Group justify="flex-end">
            <Button type="submit">{t.next}</Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
}
