import { Alert, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { type RouteObject, useLocation, useNavigate } from 'react-router';
import type { Parts } from '#contract/texts.ts';
import { ApiError } from '../ui/api.ts';
import { startApp } from '../ui/app/app.tsx';
import { Avatar } from '../ui/parts/avatar.tsx';
import { Dimmed } from '../ui/parts/dimmed.tsx';
import { NotFound, RouteFault } from '../ui/parts/faults.tsx';
import { authQuery } from '../ui/parts/query.ts';
import { Waiting } from '../ui/parts/waiting.tsx';
import { RequireSession } from '../ui/session/require-session.tsx';
import { sessionQuery } from '../ui/session/session.ts';
import { useTexts } from '../ui/texts.ts';
import { conversationsQuery } from './conversations/queries.ts';
import { Frame } from './frame/frame.tsx';
import { askBySigningIn } from './invite/asked.ts';
import { isRemote } from './media/remote-rule.ts';

/** Their paths must also be among those of contract/chat/paths.ts. */
const routes: RouteObject[] = [
  {
    path: '/',
    Component: Shell,
    ErrorBoundary: RouteFault,
    HydrateFallback: Waiting,
    children: [
      {
        ErrorBoundary: PaneFault,
        children: [
          { index: true, lazy: () => import('./frame/nothing-open.tsx') },
          {
            path: 'c/:conversationId',
            lazy: () => import('./thread/thread.tsx'),
            children: [{ path: 'info/:shared?', lazy: () => import('./details/details.tsx') }],
          },
          { path: 'search', lazy: () => import('./search/search.tsx') },
          { path: 'new/bot', lazy: () => import('./conversations/new-message.tsx') },
          { path: 'new/group', lazy: () => import('./groups/create-group.tsx') },
          { path: 'new/broadcast', lazy: () => import('./groups/create-group.tsx') },
          { path: 'stories/new', lazy: () => import('./stories/publish.tsx') },
          { path: 'stories/:userId', lazy: () => import('./stories/viewer.tsx') },
          { path: 'settings', lazy: () => import('./settings/menu.tsx') },
          { path: 'settings/account', lazy: () => import('./settings/account.tsx') },
          { path: 'settings/invite', lazy: () => import('./settings/invite.tsx') },
          { path: 'settings/notifications', lazy: () => import('./settings/notifications.tsx') },
          { path: 'settings/appearance', lazy: () => import('./settings/appearance.tsx') },
          { path: 'settings/privacy', lazy: () => import('./settings/privacy.tsx') },
          { path: 'settings/media', lazy: () => import('./settings/media.tsx') },
          { path: 'settings/applications', lazy: () => import('./settings/applications.tsx') },
          { path: 'settings/blocked', lazy: () => import('./settings/blocked.tsx') },
          { path: 'i/:token', lazy: () => import('./invite/invite.tsx') },
          { path: 'join', lazy: () => import('./invite/join.tsx') },
          { path: '*', Component: NotFound },
        ],
      },
    ],
  },
];

/** An error beside the list leaves the list in place. */
function PaneFault() {
  return <RouteFault component="div" />;
}

/** The frame of every screen of the chat. */
function Shell() {
  useServiceWorker();
  // People who follow an invite link are most likely new here.
  const { pathname, hash } = useLocation();
  const [, token] = /^\/i\/([^/]+)/.exec(pathname) ?? [];
  const welcome = token ? (
    <InvitedBy token={token} />
  ) : pathname === '/join' ? (
    <InvitedToGroup token={hash.slice(1)} />
  ) : undefined;
  return (
    <RequireSession first={welcome ? 'sign-up' : 'sign-in'} welcome={welcome}>
      <Frame />
    </RequireSession>
  );
}

/** The inviter, for somebody who is not signed in yet. */
function InvitedBy({ token }: { token: string }) {
  const t = useTexts();
  const { data } = useQuery(
    authQuery(['invited-by', token], 'GET /invitations/:token', { params: { token } }),
  );
  if (!data) return null;
  return (
    <Welcome {...data} title={t('chat.invitation.invitedBy', { name: data.name })}>
      {t('chat.invitation.invitedText')}
    </Welcome>
  );
}

/** The group, for somebody who is not signed in yet: it is joined by signing in or up. */
function InvitedToGroup({ token }: { token: string }) {
  const t = useTexts();
  const { data, error } = useQuery(
    authQuery(['invited-to', token], 'POST /group-links/show', { body: { token } }),
  );
  useEffect(() => {
    if (data) askBySigningIn(token);
  }, [data, token]);
  if (error instanceof ApiError && error.status === 404)
    return (
      <Alert color="gray" title={t('chat.invitation.goneTitle')}>
        {t('chat.join.goneText')}
      </Alert>
    );
  if (!data) return null;
  const { name, groupId, photoUrl, isBroadcast, memberCount } = data;
  const kind = isBroadcast ? t('chat.group.broadcast') : t('chat.group.group');
  return (
    <Welcome name={name} seed={groupId} pictureUrl={photoUrl} above={t('chat.join.invitedTo')} title={name}>
      {kind} · {t('chat.group.memberCount', { count: memberCount })}
      <br />
      {t('chat.join.invitedText')}
    </Welcome>
  );
}

/** Who or what invites, above the form. */
function Welcome({
  name,
  seed,
  pictureUrl,
  above,
  title,
  children,
}: {
  name: string;
  seed?: string;
  pictureUrl?: string | undefined;
  above?: string;
  title: string;
  children: ReactNode;
}) {
  // A picture on another server would reveal to it who opens the link.
  const isShown = pictureUrl !== undefined && !isRemote(pictureUrl, location.origin);
  return (
    <Group wrap="nowrap">
      <Avatar name={name} {...(seed && { seed })} {...(isShown && { pictureUrl })} size={56} />
      <div style={{ minWidth: 0 }}>
        {above && <Dimmed>{above}</Dimmed>}
        <Text fw={650}>{title}</Text>
        <Dimmed>{children}</Dimmed>
      </div>
    </Group>
  );
}

await startApp(routes, {
  basename: '/',
  texts: import.meta.glob<Parts>('../../locales/*.json', { query: '?parts=ui,chat', import: 'default' }),
  first: sessionQuery,
});

/**
 * Registers the service worker (worker/service-worker.js), and opens the target of a clicked notification. The worker loads all
 * files of the chat, which would delay those that the first screen needs.
 */
function useServiceWorker(): void {
  const navigate = useNavigate();
  const { isSuccess } = useQuery({ ...conversationsQuery, enabled: false });
  // It requires https or localhost, and `vite dev` does not build it.
  const canHave = 'serviceWorker' in navigator && import.meta.env.PROD;
  useEffect(() => {
    // Without it the chat still works, but not offline.
    if (canHave && isSuccess) navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
  }, [canHave, isSuccess]);
  useEffect(() => {
    if (!canHave) return;
    const onMessage = ({ data }: MessageEvent) => {
      if (data?.type === 'open') navigate(data.path);
    };
    navigator.serviceWorker.addEventListener('message', onMessage);
    return () => navigator.serviceWorker.removeEventListener('message', onMessage);
  }, [navigate, canHave]);
}
