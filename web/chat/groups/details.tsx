import { Badge, Button, Divider, Group, Stack, Switch, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import type { Conversation, ShownGroup } from '#contract/chat.ts';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { LargeAvatar } from '../media/avatar.tsx';
import { EditDetails } from './edit-details.tsx';
import { IncomingWebhooks } from './incoming-webhooks.tsx';
import { LeaveOrDelete } from './leave-or-delete.tsx';
import { Members } from './members.tsx';
import { groupCalls, useGroupChange } from './queries.ts';
import { groupTexts } from './texts.ts';

/** Details of a group or broadcast list: its members, and what the person may change. */
export function GroupDetails({ conversation }: { conversation: Conversation }) {
  const { group, isAdmin } = conversation;
  if (!group) return null;
  return (
    <Stack gap="lg">
      <About group={group} isAdmin={isAdmin} />
      {isAdmin && !group.isBroadcast && (
        <>
          <Divider />
          <Rights group={group} />
        </>
      )}
      <Divider />
      <Members group={group} isAdmin={isAdmin} />
      {isAdmin && !group.isBroadcast && <IncomingWebhooks groupId={group.groupId} />}
      <Divider />
      <LeaveOrDelete group={group} isAdmin={isAdmin} />
    </Stack>
  );
}

function About({ group, isAdmin }: { group: ShownGroup; isAdmin: boolean }) {
  const t = useTexts(groupTexts);
  const { accountId } = useAccount();
  const [isEdited, setEdited] = useState(false);
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
      <Text fw={650} size="lg" style={{ overflowWrap: 'anywhere' }}>
        {group.name}
      </Text>
      <Group gap="xs">
        <Badge variant="light" color="gray" tt="none">
          {group.isBroadcast ? t.broadcast : t.group}
        </Badge>
        <Text size="sm" c="dimmed">
          {t.memberCount(group.memberCount)}
        </Text>
      </Group>
      {group.description && (
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {group.description}
        </Text>
      )}
      {group.isBroadcast && group.creatorId !== accountId && (
        <Text size="sm" c="dimmed">
          {t.onlyCreatorWrites}
        </Text>
      )}
      {!group.isBroadcast && !group.sendMessages && !isAdmin && (
        <Text size="sm" c="dimmed">
          {t.onlyAdminsWrite}
        </Text>
      )}
      {mayEdit && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPencil size={16} />}
          onClick={() => setEdited(true)}
        >
          {t.change}
        </Button>
      )}
    </Stack>
  );
}

/** The administrators' two switches. */
function Rights({ group }: { group: ShownGroup }) {
  const t = useTexts(groupTexts);
  const { groupId } = group;
  const change = useGroupChange(
    groupId,
    (rights: Partial<ShownGroup>) => groupCalls.change(groupId, rights),
    {
      done: t.roleChanged,
    },
  );
  // The switch changes at once and is reverted if the server refuses.
  const { sendMessages, editInfoOnlyAdmin } = { ...group, ...(change.isPending && change.variables) };
  return (
    <Stack gap="sm" component="section" aria-label={t.settings}>
      <Switch
        label={t.announcement}
        description={t.announcementHint}
        checked={!sendMessages}
        onChange={(event) => change.mutate({ sendMessages: !event.currentTarget.checked })}
      />
      <Switch
        label={t.membersEdit}
        description={t.membersEditHint}
        checked={!editInfoOnlyAdmin}
        onChange={(event) => change.mutate({ editInfoOnlyAdmin: !event.currentTarget.checked })}
      />
    </Stack>
  );
}
