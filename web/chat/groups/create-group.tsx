import { Alert, Switch, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ApiError, callChat } from '../../ui/api.ts';
import { useDraftKey } from '../../ui/draft-key.ts';
import { Fault } from '../../ui/parts/faults.tsx';
import { Form, Submit } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';
import type { Known } from '../conversations/use-conversation.ts';
import { Actions, Page } from '../parts/page.tsx';
import { type About, AboutFields } from './about-fields.tsx';
import { PeoplePicker } from './people-picker.tsx';

/** Creates a group, or at `/new/broadcast` a broadcast list. */
export function Component() {
  const isBroadcast = useLocation().pathname.endsWith('/broadcast');
  return <CreateGroup key={String(isBroadcast)} isBroadcast={isBroadcast} />;
}

function CreateGroup({ isBroadcast }: { isBroadcast: boolean }) {
  const t = useTexts();
  const navigate = useNavigate();
  const keyOf = useDraftKey();
  const [about, setAbout] = useState<About>({ name: '', description: '' });
  const [members, setMembers] = useState<Known[]>([]);
  const create = useMutation({
    mutationFn: (fields: FormData) => {
      const { name, description, photoUrl } = about;
      const body = {
        name,
        members: members.map(({ peer }) => peer.userId),
        isBroadcast,
        ...(description !== '' && { description }),
        ...(photoUrl !== undefined && { photoUrl }),
        ...(fields.has('announcement') && { sendMessages: false }),
      };
      return callChat('POST /groups', { body, idempotencyKey: keyOf(body) });
    },
    onSuccess: ({ groupId }) => navigate(`/c/${groupId}`, { replace: true }),
  });
  return (
    <Page
      title={isBroadcast ? t('chat.group.newBroadcast') : t('chat.group.newGroup')}
      lead={isBroadcast ? t('chat.group.newBroadcastLead') : t('chat.group.newGroupLead')}
    >
      <Form gap="lg" onSubmit={(fields) => create.mutate(fields)}>
        <AboutFields about={about} onChange={setAbout} />
        <PeoplePicker
          chosen={members}
          onChange={setMembers}
          empty={<Text size="sm">{t('chat.groupLink.later')}</Text>}
        />
        {!isBroadcast && (
          <Switch
            label={t('chat.group.announcement')}
            description={t('chat.group.announcementHint')}
            name="announcement"
          />
        )}
        <Actions fault={create.isError && <Refusal error={create.error} />}>
          <Submit of={create}>
            {isBroadcast ? t('chat.group.createBroadcast') : t('chat.group.createGroup')}
          </Submit>
        </Actions>
      </Form>
    </Page>
  );
}

/** Why somebody could not be added. */
export function Refusal({ error }: { error: unknown }) {
  const t = useTexts();
  if (!(error instanceof ApiError) || error.status !== 403) return <Fault error={error} />;
  return (
    <Alert color="red" role="alert">
      {t('chat.group.refusedByThem')}
    </Alert>
  );
}
