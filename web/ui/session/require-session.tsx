import { Anchor, Button, Card, Center, Group, Stack, Text, Title } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { ApiError, callAuth } from '../api.ts';
import { runs } from '../parts/change.ts';
import { Empty } from '../parts/empty.tsx';
import { Fault, PageFault } from '../parts/faults.tsx';
import { Preferences } from '../parts/preferences.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { useLanguage, useTexts } from '../texts.ts';
import { sessionQuery, useSession, useSignOut } from './session.ts';
import { SignIn } from './sign-in.tsx';

/** Renders its children for signed-in people; others get the sign-in page, at the same URL. */
export function RequireSession({
  children,
  first,
  welcome,
}: {
  children: ReactNode;
  first?: 'sign-in' | 'sign-up';
  /** Above the sign-in form. */
  welcome?: ReactNode;
}) {
  const session = useSession();
  const queries = useQueryClient();
  useReportLanguage(session.data?.accountId);
  useLeavesFormerPerson();
  // A session may end at any call: revoked elsewhere, expired, the account deleted.
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        // Only errors that occur now: one from before the sign-in says nothing about this session.
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { error } = event.action;
        if (error instanceof ApiError && error.status === 401)
          queries.setQueryData(sessionQuery.queryKey, null);
        // The terms have changed since this page was loaded.
        if (error instanceof ApiError && error.reason === 'terms.not-accepted')
          void queries.invalidateQueries(sessionQuery);
      }),
    [queries],
  );
  if (session.isPending) return session.isPaused ? <Offline /> : <Waiting />;
  // After a failed refetch, the previous session is still valid.
  if (session.isLoadingError) return <PageFault error={session.error} retry={() => session.refetch()} />;
  if (session.data)
    return session.data.termsToAccept === undefined ? (
      children
    ) : (
      <AskForTerms termsUrl={session.data.termsToAccept} />
    );
  return <SignIn welcome={welcome} {...(first && { first })} />;
}

/** Offline, the session is unknown; the page continues once it is online. */
function Offline() {
  const t = useTexts();
  return (
    <Center component="main" mih="80vh">
      <title>{t('ui.session.offlineTitle')}</title>
      <Empty icon={<IconWifiOff />} title={t('ui.session.offlineTitle')}>
        {t('ui.session.offlineText')}
      </Empty>
    </Center>
  );
}

/** Safari keeps a page for its Back button: it has not heard who signed in or out meanwhile. */
function useLeavesFormerPerson(): void {
  const queries = useQueryClient();
  useWindowEvent('pageshow', async ({ persisted }) => {
    if (!persisted) return;
    const before = queries.getQueryData(sessionQuery.queryKey);
    const now = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => before);
    if (now?.accountId !== before?.accountId) location.reload();
  });
}

/** Reports the page's language to the server, which uses it for messages of its own. */
function useReportLanguage(accountId: string | undefined): void {
  const language = useLanguage();
  useEffect(() => {
    if (accountId === undefined) return;
    // The next page load repeats it.
    callAuth('PUT /language', { body: { language } }).catch(() => undefined);
  }, [accountId, language]);
}

/** Asks people who joined before the current terms to accept them; nothing else is shown until they do. */
function AskForTerms({ termsUrl }: { termsUrl: string }) {
  const t = useTexts();
  const queries = useQueryClient();
  const leave = useSignOut();
  const accept = useMutation({
    mutationFn: () => callAuth('POST /terms', { body: { termsUrl } }),
    onSuccess: () => queries.invalidateQueries(sessionQuery),
  });
  return (
    <Stack component="main" maw={460} mx="auto" px="md" pt="max(1rem, 12vh)" pb="xl">
      <title>{`${t('ui.session.termsTitle')} – ${t('ui.common.service')}`}</title>
      <Group gap="xs">
        <img src="/icon.svg" width={28} height={28} alt="" />
        <Text fw={650} size="lg">
          {t('ui.common.service')}
        </Text>
      </Group>
      <Card withBorder padding="xl" radius="lg">
        <Stack>
          <Title order={1}>{t('ui.session.termsTitle')}</Title>
          <Text>
            {t('ui.session.termsText')}{' '}
            <Anchor href={termsUrl} target="_blank" rel="noopener" underline="always">
              {t('ui.session.readTerms')}
            </Anchor>
          </Text>
          {accept.isError && <Fault error={accept.error} />}
          <Button {...runs(accept)}>{t('ui.session.acceptTermsButton')}</Button>
          <Button variant="subtle" {...runs(leave)}>
            {t('ui.session.signOut')}
          </Button>
        </Stack>
      </Card>
      <Preferences />
    </Stack>
  );
}
