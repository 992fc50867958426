import { ActionIcon, Indicator, Menu, UnstyledButton } from '@mantine/core';
import {
  IconCircleDashed,
  IconLink,
  IconLogout,
  IconMessage,
  IconMessagePlus,
  IconSettings,
  IconSpeakerphone,
  IconTerminal2,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { MenuItem } from '../../ui/parts/menu-item.tsx';
import { OperatingItems, useOperating } from '../../ui/session/operating.tsx';
import { useAccount, useSignOut } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { ownProfileQuery } from '../conversations/queries.ts';
import { Avatar } from '../media/avatar.tsx';

/** Ways to begin a conversation. */
export function NewMenu() {
  const t = useTexts();
  return (
    <Menu position="bottom-end" portalProps={{ target: '#conversations' }}>
      <Menu.Target>
        <ActionIcon color="parley" size="lg" aria-label={t('chat.frame.newChat')}>
          <IconMessagePlus size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuItem icon={IconMessage} label={t('chat.bot.title')} to="/new/bot" />
        <MenuItem icon={IconUsers} label={t('chat.frame.newGroup')} to="/new/group" />
        <MenuItem icon={IconSpeakerphone} label={t('chat.frame.newBroadcast')} to="/new/broadcast" />
        <MenuItem icon={IconCircleDashed} label={t('chat.frame.newStory')} to="/stories/new" />
        <Menu.Divider />
        <MenuItem icon={IconLink} label={t('chat.conversation.invitePeople')} to="/settings/invite" />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The account menu: settings, console, sign out. */
export function MainMenu() {
  const t = useTexts();
  const { name, email, accountId } = useAccount();
  const { data: profile } = useQuery(ownProfileQuery);
  const openReports = useOperating()?.openReports ?? 0;
  const leave = useSignOut();
  return (
    <Menu position="bottom-end" portalProps={{ target: '#conversations' }}>
      <Menu.Target>
        <UnstyledButton>
          <Indicator color="red" label={openReports} size={16} offset={4} disabled={openReports === 0}>
            <Avatar name={name} seed={accountId} pictureUrl={profile?.pictureUrl} size={34} />
          </Indicator>
          <span className="visually-hidden">{t('chat.frame.menu')}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown maw="calc(100vw - 1rem)">
        <Menu.Label style={{ overflowWrap: 'anywhere' }}>{email}</Menu.Label>
        <MenuItem icon={IconSettings} label={t('chat.frame.settings')} to="/settings" />
        <MenuItem icon={IconTerminal2} label={t('chat.frame.console')} href="/console/" />
        <OperatingItems />
        <MenuItem icon={IconLogout} label={t('chat.frame.signOut')} onClick={() => leave.mutate(undefined)} />
      </Menu.Dropdown>
    </Menu>
  );
}
