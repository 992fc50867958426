import { Alert, Button, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { LIMITS } from '#contract/limits.ts';
import { ApiError } from '../../ui/api.ts';
import { useDraftKey } from '../../ui/draft-key.ts';
import { Fault } from '../../ui/parts/faults.tsx';
import { Form } from '../../ui/parts/form.tsx';
import { codePoints, LengthHint } from '../../ui/parts/length-hint.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Actions, Page } from '../parts/page.tsx';
import { PeoplePicker } from './people-picker.tsx';
import { PhotoField } from './photo-field.tsx';
import { groupCalls } from './queries.ts';

/** Creates a group, or at `/new/broadcast` a broadcast list. */
export function Component() {
  const isBroadcast = useLocation().pathname.endsWith('/broadcast');
  return <CreateGroup key={String(isBroadcast)} isBroadcast={isBroadcast} />;
}

function CreateGroup({ isBroadcast }: { isBroadcast: boolean }) {
  const t = useTexts();
  const navigate = useNavigate();
  const keyOf = useDraftKey();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [photoUrl, setPhotoUrl] = useState<string>();
  const [members, setMembers] = useState<string[]>([]);
  const [isAnnouncement, setAnnouncement] = useState(false);
  const create = useMutation({
    mutationFn: () => {
      const body = {
        name,
        members,
        isBroadcast,
        ...(description !== '' && { description }),
        ...(photoUrl !== undefined && { photoUrl }),
        ...(isAnnouncement && { sendMessages: false }),
      };
      return groupCalls.create(body, keyOf(body));
    },
    onSuccess: ({ groupId }) => navigate(`/c/${groupId}`, { replace: true }),
  });
  const over = codePoints(name) - LIMITS.groupNameLength;
  return (
    <Page
      title={isBroadcast ? t('chat.group.newBroadcast') : t('chat.group.newGroup')}
      lead={isBroadcast ? t('chat.group.newBroadcastLead') : t('chat.group.newGroupLead')}
    >
      <Form gap="lg" onSubmit={() => create.mutate(undefined)}>
        <PhotoField name={name} photoUrl={photoUrl} onChange={setPhotoUrl} />
        <TextInput
          label={t('chat.group.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={over > 0 && t('ui.common.charactersTooMany', { over })}
          required
          autoFocus
        />
        <Textarea
          label={t('chat.group.description')}
          description={<LengthHint text={description} limit={LIMITS.groupDescriptionLength} />}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          minRows={2}
          maxRows={6}
        />
        <PeoplePicker
          chosen={members}
          onChange={setMembers}
          empty={<Text size="sm">{t('chat.groupLink.later')}</Text>}
        />
        {!isBroadcast && (
          <Switch
            label={t('chat.group.announcement')}
            description={t('chat.group.announcementHint')}
            checked={isAnnouncement}
            onChange={(event) => setAnnouncement(event.currentTarget.checked)}
          />
        )}
        <Actions fault={create.isError && <Refusal error={create.error} />}>
          <Button type="submit" loading={create.isPending}>
            {isBroadcast ? t('chat.group.createBroadcast') : t('chat.group.createGroup')}
          </Button>
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
