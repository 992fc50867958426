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
import { Link } from 'react-router';
import { profileQuery } from '../../ui/account/queries.ts';
import { OperatingItems, useOperating } from '../../ui/session/operating.tsx';
import { useAccount, useSignOut } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
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
        <Menu.Item leftSection={<IconMessage size={16} />} component={Link} to="/new/bot">
          {t('chat.bot.title')}
        </Menu.Item>
        <Menu.Item leftSection={<IconUsers size={16} />} component={Link} to="/new/group">
          {t('chat.frame.newGroup')}
        </Menu.Item>
        <Menu.Item leftSection={<IconSpeakerphone size={16} />} component={Link} to="/new/broadcast">
          {t('chat.frame.newBroadcast')}
        </Menu.Item>
        <Menu.Item leftSection={<IconCircleDashed size={16} />} component={Link} to="/stories/new">
          {t('chat.frame.newStory')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLink size={16} />} component={Link} to="/settings/invite">
          {t('chat.conversation.invitePeople')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The account menu: settings, console, sign out. */
export function MainMenu() {
  const t = useTexts();
  const { name, email, accountId } = useAccount();
  const { data: profile } = useQuery(profileQuery);
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
        <Menu.Item leftSection={<IconSettings size={16} />} component={Link} to="/settings">
          {t('chat.frame.settings')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTerminal2 size={16} />} component="a" href="/console/">
          {t('chat.frame.console')}
        </Menu.Item>
        <OperatingItems />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => leave.mutate(undefined)}>
          {t('chat.frame.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
