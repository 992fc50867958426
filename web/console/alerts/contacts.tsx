import { ActionIcon, Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { IconBell, IconMail, IconMessage, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertContact, ContactKind, ContactTest } from '#contract/alerts.ts';
import { api } from '../../ui/api.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { useChange } from '../applications.ts';
import { contactsQuery } from './queries.ts';
import { alertsTexts, kindTexts } from './texts.ts';

export function Contacts() {
  const t = useTexts(alertsTexts);
  const { appId } = useApplication();
  const contacts = useQuery(contactsQuery(appId));
  return (
    <Section title={t.contacts}>
      <QueryView query={contacts}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon={<IconBell />} title={t.noContacts}>
              {t.noContactsText}
            </Empty>
          ) : (
            <Stack gap="xs">
              {list.map((contact) => (
                <Contact key={contact.contactId} contact={contact} />
              ))}
            </Stack>
          )
        }
      </QueryView>
      <NewContact />
    </Section>
  );
}

function Contact({ contact: { contactId, kind, target } }: { contact: AlertContact }) {
  const t = useTexts(alertsTexts);
  const kinds = useTexts(kindTexts);
  const { appId } = useApplication();
  const path = `/api/console/applications/${appId}/alert-contacts/${contactId}`;
  const remove = useChange(appId, () => api.delete(path), { done: t.removed });
  const test = useChange(appId, () => api.post<ContactTest>(`${path}/test`));
  const Icon = kind === 'email' ? IconMail : IconMessage;
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <Icon size={18} aria-label={kinds[kind]} />
          <Text truncate>{target}</Text>
        </Group>
        <Group gap="xs" wrap="nowrap">
          <Button
            size="compact-sm"
            variant="default"
            loading={test.isPending}
            onClick={() => test.mutate(undefined)}
          >
            {t.test}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t.removeContact(target)}
            onClick={() => remove.mutate(undefined)}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      </Group>
      {test.data && (
        <Alert color={test.data.isSent ? 'teal' : 'red'} p="xs" role="status">
          {test.data.message}
        </Alert>
      )}
    </Stack>
  );
}

function NewContact() {
  const t = { ...useTexts(commonTexts), ...useTexts(alertsTexts) };
  const kinds = useTexts(kindTexts);
  const { appId } = useApplication();
  const [kind, setKind] = useState<ContactKind>('email');
  const [target, setTarget] = useState('');
  const add = useChange(
    appId,
    () => api.post(`/api/console/applications/${appId}/alert-contacts`, { kind, target }),
    { done: t.added, onSuccess: () => setTarget('') },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(undefined);
      }}
    >
      <Group align="flex-end">
        <SegmentedControl
          aria-label={t.kind}
          value={kind}
          onChange={(chosen) => setKind(chosen as ContactKind)}
          data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
        />
        <TextInput
          type={kind === 'email' ? 'email' : 'url'}
          label={kind === 'email' ? t.emailTarget : t.chatTarget}
          value={target}
          onChange={({ currentTarget }) => setTarget(currentTarget.value)}
          required
          flex="1 1 14rem"
          maw={420}
        />
        <Button type="submit" variant="default" loading={add.isPending}>
          {t.add}
        </Button>
      </Group>
    </form>
  );
}
