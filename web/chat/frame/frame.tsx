import { ActionIcon, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Link, Outlet, useLocation } from 'react-router';
import { commonTexts } from '../../ui/common-texts.ts';
import { NoticeBar } from '../../ui/notices/notices.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ConversationList } from '../conversations/list.tsx';
import { useSubscription } from '../notifications/push.ts';
import { useDelivered } from '../receipts/use-delivered.ts';
import { StoryRing } from '../stories/ring.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import classes from './frame.module.css';
import { Live } from './live.tsx';
import { MainMenu, NewMenu } from './menus.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { frameTexts } from './texts.ts';
import { useUnreadCount } from './unread-count.ts';

/** The same value as in frame.module.css. */
const PHONE = '(max-width: 47.99em)';

/** The list of conversations beside the open screen; on phones, one of the two. */
export function Frame() {
  const t = { ...useTexts(commonTexts), ...useTexts(frameTexts) };
  const isOpen = useLocation().pathname !== '/';
  useSubscription();
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  useUnreadCount();
  useDelivered();
  const isAlone = isPhone && !isOpen;
  return (
    <div className={classes.frame} data-open={isOpen || undefined}>
      <Live />
      <Shortcuts />
      <a href="#content" className="skip-link">
        {t.skip}
      </a>
      <div className={classes.status}>
        <NoticeBar isLive />
        <ConnectionBanner />
      </div>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a name; the element is kept when its role changes. */}
      <div
        id="conversations"
        className={classes.aside}
        role={isAlone ? 'main' : 'complementary'}
        aria-label={t.conversations}
      >
        <div className={classes.head}>
          <Group component={Link} gap="xs" wrap="nowrap" c="inherit" td="none" {...{ to: '/' }}>
            <img src="/icon.svg" width={26} height={26} alt="" />
            <Text fw={650} component={isOpen ? 'span' : 'h1'} className={classes.service ?? ''}>
              {t.service}
            </Text>
          </Group>
          <Group gap={4} wrap="nowrap">
            <ActionIcon component={Link} to="/search" variant="subtle" size="lg" aria-label={t.search}>
              <IconSearch size={20} />
            </ActionIcon>
            <NewMenu />
            <MainMenu />
          </Group>
        </div>
        <nav className={classes.list} aria-label={t.conversations}>
          <StoryRing />
          <ConversationList />
        </nav>
      </div>
      <main className={classes.main} id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
