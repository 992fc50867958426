import { ActionIcon, Group, Kbd, Stack, Text } from '@mantine/core';
import { useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link, Outlet, useLocation, useMatch, useNavigate } from 'react-router';
import type { MarkDelivered } from '#contract/chat/receipts.ts';
import type { Conversation } from '#contract/chat.ts';
import { isArchivedAt, isMutedAt } from '#contract/rights.ts';
import { callChat } from '../../ui/api.ts';
import { serverNow } from '../../ui/clock.ts';
import { NoticeBar } from '../../ui/notices/notices.tsx';
import { reportSubscription } from '../../ui/notifications/push.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { useNow } from '../../ui/parts/moment.tsx';
import { useTexts } from '../../ui/texts.ts';
import { inOrder, neighbour } from '../conversations/filter.ts';
import { ConversationList, FILTER_ID } from '../conversations/list.tsx';
import { conversationsQuery, ownProfileQuery } from '../conversations/queries.ts';
import { live, useFeedState } from '../live/feed.ts';
import { StoryRing } from '../stories/ring.tsx';
import classes from './frame.module.css';
import { Live } from './live.tsx';
import { MainMenu, NewMenu } from './menus.tsx';

/** Messages within this time are acknowledged together; those read within it are not acknowledged separately. */
const TELL_AFTER_MS = 1_000;
/** The server's limit for one request. */
const MAX_PER_REQUEST = 50;

const Elsewhere = lazy(() => import('../search/elsewhere.tsx'));

/** Acknowledges delivery to senders once a page has their message, if the person shares that. */
function useDelivered(): void {
  const sent = useRef(new Map<string, string>());
  const isEnabled =
    useQuery({ ...ownProfileQuery, select: ({ readReceipts }) => readReceipts }).data === true;
  const { data: list } = useQuery({ ...conversationsQuery, select: ({ conversations }) => conversations });
  useEffect(() => {
    if (!isEnabled || !list) return;
    const upTo = list.flatMap(newestOf).filter((one) => sent.current.get(one.conversationId) !== one.msgId);
    if (upTo.length === 0) return;
    const timer = setTimeout(() => {
      const now = upTo.slice(0, MAX_PER_REQUEST);
      for (const { conversationId, msgId } of now) sent.current.set(conversationId, msgId);
      // If it fails, the next message or page load reports it.
      callChat('POST /delivered', { body: { upTo: now } satisfies MarkDelivered }).catch(() => undefined);
    }, TELL_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isEnabled, list]);
}

/** The newest message of a private chat with a person, if it is unread and theirs. */
function newestOf({ conversationId, peer, unreadCount, lastMessage }: Conversation): MarkDelivered['upTo'] {
  if (!peer || peer.isBot || unreadCount === 0 || lastMessage?.from !== peer.userId) return [];
  return [{ conversationId, msgId: lastMessage.msgId }];
}

/** Short interruptions are not reported. */
const WAIT_TIMEOUT_MS = 2_000;

/** Shows, unobtrusively, that the page is disconnected. */
function ConnectionBanner() {
  const t = useTexts();
  const isLost = useFeedState() === 'lost';
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLost) return setShown(false);
    const timer = setTimeout(() => setShown(true), WAIT_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [isLost]);
  return (
    <div role="status">
      {isShown && (
        <div className={classes.banner}>
          {navigator.onLine ? t('chat.frame.connecting') : t('chat.frame.offline')}
        </div>
      )}
    </div>
  );
}

/** The same value as in frame.module.css. */
const PHONE = '(max-width: 47.99em)';

/** The list of conversations beside the open screen; on phones, one of the two. */
export function Frame() {
  const t = useTexts();
  const isOpen = useLocation().pathname !== '/';
  useEffect(reportSubscription, []);
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  useUnreadCount();
  useDelivered();
  const isAlone = isPhone && !isOpen;
  return (
    <div className={classes.frame} data-open={isOpen || undefined}>
      <Live />
      <Shortcuts />
      <a href="#content" className="skip-link">
        {t('chat.frame.skip')}
      </a>
      <div style={{ gridColumn: '1 / -1' }}>
        <NoticeBar live={live} />
        <ConnectionBanner />
      </div>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a name; the element is kept when its role changes. */}
      <div
        id="conversations"
        className={classes.aside}
        role={isAlone ? 'main' : 'complementary'}
        aria-label={t('chat.frame.conversations')}
      >
        <Group flex="none" h="3.75rem" pl="md" pr={8} gap={0} justify="space-between" wrap="nowrap">
          <Group component={Link} gap="xs" wrap="nowrap" c="inherit" td="none" {...{ to: '/' }}>
            <img src="/icon.svg" width={26} height={26} alt="" />
            <Text fw={650} component={isOpen ? 'span' : 'h1'}>
              {t('ui.common.service')}
            </Text>
          </Group>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              color="parley"
              component={Link}
              to="/search"
              size="lg"
              aria-label={t('chat.frame.search')}
            >
              <IconSearch size={20} />
            </ActionIcon>
            <NewMenu />
            <MainMenu />
          </Group>
        </Group>
        <nav className={classes.list} aria-label={t('chat.frame.conversations')}>
          <StoryRing />
          <ConversationList
            elsewhere={(typed, hasConversations) => (
              <Suspense>
                <Elsewhere typed={typed} hasConversations={hasConversations} />
              </Suspense>
            )}
          />
        </nav>
      </div>
      <main className={classes.main} id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

/** Shows the unread count of conversations that are not muted in the window title and on the icon of the installed app. */
function useUnreadCount(): void {
  const now = useNow();
  const { data: count = 0 } = useQuery({
    ...conversationsQuery,
    select: ({ conversations }) =>
      conversations.reduce((sum, one) => sum + (isMutedAt(one, now) ? 0 : one.unreadCount), 0),
  });
  useEffect(() => {
    // Browsers support it only for installed pages.
    navigator.setAppBadge?.(count).catch(() => {});
    // Every screen sets its own title.
    const show = () => {
      const bare = document.title.replace(/^\(\d+\) /, '');
      const title = count > 0 ? `(${count}) ${bare}` : bare;
      if (document.title !== title) document.title = title;
    };
    show();
    const observer = new MutationObserver(show);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [count]);
}

/** The global keyboard shortcuts, and their list. */
function Shortcuts() {
  const t = useTexts();
  const client = useQueryClient();
  const navigate = useNavigate();
  const openId = useMatch('/c/:conversationId/*')?.params.conversationId;
  const [isOpen, setOpen] = useState(false);
  const wantsFilter = useRef(false);
  useEffect(() => {
    if (openId !== undefined || !wantsFilter.current) return;
    wantsFilter.current = false;
    document.getElementById(FILTER_ID)?.focus();
  }, [openId]);
  useWindowEvent('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    // A dialog is closed first.
    if (document.querySelector('[role=dialog][aria-modal=true]')) return;
    const isCommand = (ctrlKey || metaKey) && !altKey;
    if (isCommand && key.toLowerCase() === 'k') {
      event.preventDefault();
      const filter = document.getElementById(FILTER_ID);
      if (filter?.offsetParent) return filter.focus();
      // On a phone, the list is the screen that this one was opened from.
      wantsFilter.current = true;
      navigate('/');
    } else if (altKey && !ctrlKey && (key === 'ArrowUp' || key === 'ArrowDown') && !opensByArrow(target)) {
      event.preventDefault();
      const known = client.getQueryData(conversationsQuery.queryKey)?.conversations ?? [];
      const list = inOrder(known).filter((one) => !isArchivedAt(one, serverNow()));
      const next = neighbour(list, openId, key === 'ArrowDown' ? 1 : -1);
      if (next) navigate(`/c/${next.conversationId}`);
    } else if (isCommand && key === '/') setOpen(true);
  });
  const shortcuts: [string[], string][] = [
    [['Ctrl', 'K'], t('chat.frame.keyFilter')],
    [['Alt', '↑'], t('chat.frame.keyPrevious')],
    [['Alt', '↓'], t('chat.frame.keyNext')],
    [['Enter'], t('chat.frame.keySend')],
    [['Shift', 'Enter'], t('chat.frame.keyLine')],
    [['↑'], t('chat.frame.keyEdit')],
    [['Ctrl', 'B'], t('chat.frame.keyBold')],
    [['Ctrl', 'I'], t('chat.frame.keyItalic')],
    [['Esc'], t('chat.frame.keyCancel')],
    [['Ctrl', '/'], t('chat.frame.shortcuts')],
  ];
  return (
    <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t('chat.frame.shortcuts')}>
      <Stack gap="xs">
        {shortcuts.map(([keys, text]) => (
          <Group key={text} justify="space-between" wrap="nowrap">
            <Text size="sm">{text}</Text>
            <Group gap={4} wrap="nowrap">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Dialog>
  );
}

/** Fields that open their choices with Alt and an arrow key. */
function opensByArrow(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('select, [type=date]');
}
