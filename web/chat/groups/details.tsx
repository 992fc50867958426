import { Badge, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ShownGroup } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { confirms, useSettings } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { CancelOr, Form } from '../../ui/parts/form.tsx';
import { codePoints } from '../../ui/parts/length-hint.tsx';
import { useReturnsFocus } from '../../ui/parts/use-returns-focus.ts';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { LargeAvatar } from '../media/avatar.tsx';
import { type About, AboutFields } from './about-fields.tsx';
import { membersQuery, useGroupChange } from './queries.ts';

/** The picture, name and description of a group or broadcast list, which some may change. */
export function AboutGroup({ group, isAdmin }: { group: ShownGroup; isAdmin: boolean }) {
  const t = useTexts();
  const { accountId } = useAccount();
  const [isEdited, setEdited] = useState(false);
  const editId = useId();
  useReturnsFocus(isEdited);
  const mayEdit = isAdmin || (!group.isBroadcast && !group.editInfoOnlyAdmin);
  if (isEdited) return <EditDetails group={group} onEnd={() => setEdited(false)} />;
  return (
    <Stack align="center" ta="center" gap="xs">
      <LargeAvatar
        name={group.name}
        seed={group.groupId}
        pictureUrl={group.photoUrl}
        from={group.photoSetBy}
        size={88}
      />
      <Text fw={650} size="lg">
        {group.name}
      </Text>
      <Group gap="xs">
        <Badge color="gray">{group.isBroadcast ? t('chat.group.broadcast') : t('chat.group.group')}</Badge>
        <Dimmed>{t('chat.group.memberCount', { count: group.memberCount })}</Dimmed>
      </Group>
      {group.description && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
          {group.description}
        </Text>
      )}
      {group.isBroadcast && group.creatorId !== accountId && (
        <Dimmed>{t('chat.group.onlyCreatorWrites')}</Dimmed>
      )}
      {!group.isBroadcast && !group.sendMessages && !isAdmin && (
        <Dimmed>{t('chat.group.onlyAdminsWrite')}</Dimmed>
      )}
      {mayEdit && (
        <Button
          id={editId}
          variant="default"
          size="compact-sm"
          leftSection={<IconPencil size={16} />}
          onClick={() => setEdited(true)}
        >
          {t('chat.group.change')}
        </Button>
      )}
    </Stack>
  );
}

/** The administrators' two switches. */
export function Rights({ group }: { group: ShownGroup }) {
  const t = useTexts();
  const { groupId } = group;
  const change = useGroupChange('PATCH /groups/details');
  const [{ sendMessages, editInfoOnlyAdmin }, choose] = useSettings(group, (rights) =>
    change.mutateAsync({ body: { ...rights, groupId } }),
  );
  return (
    <Stack gap="sm" component="section" aria-label={t('chat.group.settings')}>
      <Switch
        label={t('chat.group.announcement')}
        description={t('chat.group.announcementHint')}
        checked={!sendMessages}
        onChange={(event) => choose({ sendMessages: !event.currentTarget.checked })}
      />
      <Switch
        label={t('chat.group.membersEdit')}
        description={t('chat.group.membersEditHint')}
        checked={!editInfoOnlyAdmin}
        onChange={(event) => choose({ editInfoOnlyAdmin: !event.currentTarget.checked })}
      />
    </Stack>
  );
}

/** Name, description and photo; only changed fields are sent, so that concurrent edits do not overwrite each other. */
function EditDetails({ group, onEnd }: { group: ShownGroup; onEnd: () => void }) {
  const t = useTexts();
  const { groupId } = group;
  const [about, setAbout] = useState<About>(group);
  const { name, description, photoUrl } = about;
  const changes = {
    ...(name !== group.name && { name }),
    ...(description !== group.description && { description }),
    ...(photoUrl !== group.photoUrl && { photoUrl: photoUrl ?? null }),
  };
  const save = useGroupChange('PATCH /groups/details', { done: t('ui.common.saved'), onSuccess: onEnd });
  const isFine =
    name.trim() !== '' &&
    codePoints(name) <= LIMITS.groupNameLength &&
    codePoints(description) <= LIMITS.groupDescriptionLength;
  return (
    <Form
      onSubmit={() => {
        if (Object.keys(changes).length === 0) onEnd();
        else save.mutate({ body: { groupId, ...changes } });
      }}
    >
      <AboutFields about={about} group={group} onChange={setAbout} />
      <CancelOr onCancel={onEnd} loading={save.isPending} disabled={!isFine}>
        {t('ui.common.save')}
      </CancelOr>
    </Form>
  );
}

/** Leaves or deletes the group, after saying what becomes of it. */
export function LeaveOrDelete({ group, isAdmin }: { group: ShownGroup; isAdmin: boolean }) {
  const t = useTexts();
  const { groupId, name, isBroadcast, creatorId } = group;
  const { accountId } = useAccount();
  const navigate = useNavigate();
  const isBound = isBroadcast && creatorId === accountId;
  const away = () => navigate('/', { replace: true });
  const leave = useGroupChange('POST /groups/members/remove', {
    done: t('chat.group.left'),
    onSuccess: away,
  });
  const end = useGroupChange('DELETE /groups/delete', { done: t('chat.group.deleted'), onSuccess: away });
  const whatFollows = useWhatFollows(group, isAdmin);
  return (
    <>
      {isBound ? (
        <Dimmed>{t('chat.group.creatorStays')}</Dimmed>
      ) : (
        <ConfirmButton
          label={isBroadcast ? t('chat.group.leaveBroadcast') : t('chat.group.leaveGroup')}
          title={t('chat.group.leaveTitle', { name })}
          text={whatFollows}
          {...confirms(leave, { body: { groupId, memberId: accountId } })}
        />
      )}
      {isAdmin && (
        <ConfirmButton
          color="red"
          variant="light"
          label={t('chat.group.deleteGroup')}
          title={t('chat.group.deleteTitle', { name })}
          text={t('chat.group.deleteText')}
          {...confirms(end, { body: { groupId } })}
        />
      )}
    </>
  );
}

function useWhatFollows({ groupId, memberCount, isBroadcast }: ShownGroup, isAdmin: boolean): string {
  const t = useTexts();
  const members = useInfiniteQuery(membersQuery(groupId));
  if (memberCount === 1) return t('chat.group.leaveAlone');
  const known = members.data?.pages.flatMap((page) => page.members) ?? [];
  const isLast =
    isAdmin && !isBroadcast && !members.hasNextPage && known.filter((one) => one.isAdmin).length === 1;
  return isLast ? t('chat.group.leaveAsLast') : t('chat.group.leaveText');
}
