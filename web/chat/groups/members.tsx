import { ActionIcon, Badge, Group, Menu, Stack, Text } from '@mantine/core';
import { IconDots, IconUserPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ShownGroup } from '#contract/chat.ts';
import type { ShownMembers } from '#contract/groups.ts';
import { LIMITS } from '#contract/limits.ts';
import { Dialog, FormDialog } from '../../ui/parts/dialog.tsx';
import { Form, Submit } from '../../ui/parts/form.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { profileQuery } from '../conversations/queries.ts';
import { type Known, useKnown } from '../conversations/use-conversation.ts';
import { Avatar } from '../media/avatar.tsx';
import { Actions } from '../parts/page.tsx';
import { CopyInvitation } from './copy-invitation.tsx';
import { Refusal } from './create-group.tsx';
import { GroupSection } from './group-section.tsx';
import { PeoplePicker } from './people-picker.tsx';
import { membersQuery, useGroupChange } from './queries.ts';

type Member = ShownMembers['members'][number];

/** The members and, for administrators, the actions on them. */
export function Members({ group, isAdmin }: { group: ShownGroup; isAdmin: boolean }) {
  const t = useTexts();
  const members = useInfiniteQuery(membersQuery(group.groupId));
  const [isAdding, setAdding] = useState(false);
  const known = members.data?.pages.flatMap((page) => page.members) ?? [];
  const adminCount = known.filter((member) => member.isAdmin).length;
  return (
    <GroupSection
      title={t('chat.group.members')}
      add={isAdmin && t('chat.group.addMembers')}
      icon={IconUserPlus}
      onAdd={() => setAdding(true)}
    >
      <Pages query={members} items={(page) => page.members} empty={null}>
        {(list) => (
          <Stack component="ul" gap={2}>
            {list.map((member) => (
              <Row
                key={member.userId}
                member={member}
                group={group}
                mayManage={isAdmin}
                isOnlyAdmin={member.isAdmin && adminCount === 1 && !members.hasNextPage}
              />
            ))}
          </Stack>
        )}
      </Pages>
      <Dialog opened={isAdding} onClose={() => setAdding(false)} title={t('chat.group.addMembers')}>
        <AddMembers
          groupId={group.groupId}
          present={known.map(({ userId }) => userId)}
          onEnd={() => setAdding(false)}
        />
      </Dialog>
    </GroupSection>
  );
}

function Row({
  member: { userId, name, isBot, isAdmin, pictureUrl },
  group: { groupId, isBroadcast, creatorId },
  mayManage,
  isOnlyAdmin,
}: {
  member: Member;
  group: ShownGroup;
  mayManage: boolean;
  isOnlyAdmin: boolean;
}) {
  const t = useTexts();
  const { accountId } = useAccount();
  const isOwn = userId === accountId;
  const [isOpen, setOpen] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const profile = useQuery({ ...profileQuery(userId), enabled: isOpen && !isOwn });
  const way = profile.data && `/c/${profile.data.conversationId}`;
  const setAdmin = useGroupChange('PATCH /groups/members/role');
  const remove = useGroupChange('POST /groups/members/remove', { onSuccess: () => setRemoving(false) });
  const params = { groupId, memberId: userId };
  return (
    <Group component="li" wrap="nowrap" gap="sm" mih={48}>
      <Avatar name={name} seed={userId} pictureUrl={pictureUrl} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text truncate>
          {name}
          {isOwn && ` (${t('chat.group.you')})`}
        </Text>
        {(isAdmin || isBot) && (
          <Group gap={4}>
            {isAdmin && (
              <Badge size="sm">
                {isBroadcast && userId === creatorId
                  ? t('chat.group.creator')
                  : t('chat.group.administrator')}
              </Badge>
            )}
            {isBot && (
              <Badge color="gray" size="sm">
                {t('chat.group.bot')}
              </Badge>
            )}
          </Group>
        )}
      </div>
      {(!isOwn || (mayManage && !isBroadcast)) && (
        <Menu
          position="bottom-end"
          opened={isOpen}
          onChange={setOpen}
          // Within the dialog: outside it, the menu would be in no landmark.
          portalProps={{ target: '#details-body' }}
        >
          <Menu.Target>
            <ActionIcon aria-label={t('chat.group.actionsFor', { name })}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {!isOwn && (
              <Menu.Item
                component={Link}
                to={way ?? ''}
                data-disabled={way === undefined}
                aria-disabled={way === undefined}
                onClick={(event) => way ?? event.preventDefault()}
              >
                {t('chat.group.write')}
              </Menu.Item>
            )}
            {mayManage && !isBroadcast && (
              <Menu.Item
                // It is still reachable by keyboard: it is read out, and Escape closes the menu, not the details.
                data-disabled={isOnlyAdmin}
                aria-disabled={isOnlyAdmin}
                onClick={() => isOnlyAdmin || setAdmin.mutate({ body: { ...params, isAdmin: !isAdmin } })}
              >
                {isAdmin
                  ? isOnlyAdmin
                    ? t('chat.group.onlyAdministrator')
                    : t('chat.group.demote')
                  : t('chat.group.promote')}
              </Menu.Item>
            )}
            {mayManage && !isOwn && (
              <Menu.Item color="var(--mantine-color-error)" onClick={() => setRemoving(true)}>
                {t('chat.group.removeMember')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <FormDialog
        opened={isRemoving}
        onClose={() => setRemoving(false)}
        title={t('chat.group.removeTitle', { name })}
        submit={t('ui.common.remove')}
        color="red"
        loading={remove.isPending}
        onSubmit={() => remove.mutate({ body: params })}
      >
        <Text size="sm">{t('chat.group.removeText')}</Text>
      </FormDialog>
    </Group>
  );
}

/** Adds people and bots to a group: all that were chosen, or none. */
function AddMembers({
  groupId,
  present,
  onEnd,
}: {
  groupId: string;
  present: readonly string[];
  onEnd: () => void;
}) {
  const t = useTexts();
  const [chosen, setChosen] = useState<Known[]>([]);
  const isLeftOut = (userId: string) => present.includes(userId);
  const { known, hasMore } = useKnown().data ?? { known: [], hasMore: false };
  const isAnybodyLeft = known.some(({ peer }) => !isLeftOut(peer.userId));
  const add = useGroupChange('POST /groups/members', {
    done: t('chat.group.added'),
    onSuccess: onEnd,
    // The error is shown beside the choice, where it can be corrected.
    onError: () => {},
  });
  return (
    <Form
      onSubmit={() => add.mutate({ body: { groupId, memberIds: chosen.map(({ peer }) => peer.userId) } })}
    >
      <PeoplePicker
        chosen={chosen}
        onChange={setChosen}
        isLeftOut={isLeftOut}
        empty={<CopyInvitation groupId={groupId} />}
      />
      {add.isError && <Refusal error={add.error} />}
      {(isAnybodyLeft || hasMore) && (
        <Actions>
          <Submit of={add} disabled={chosen.length === 0 || chosen.length > LIMITS.membersPerRequest}>
            {t('ui.common.add')}
          </Submit>
        </Actions>
      )}
    </Form>
  );
}
