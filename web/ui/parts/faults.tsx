import { Alert, Button, Center, Stack, Text, Title } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { notifications, notificationsStore } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { ApiError } from '../api.ts';
import { serverNow } from '../clock.ts';
import { inOwnWords } from '../server-words.ts';
import { text, useTexts } from '../texts.ts';
import { fullTime, relativeTime } from '../times.ts';

/** Errors of code that could not be loaded. */
const unloaded = new WeakSet<object>();
addEventListener('vite:preloadError', ({ payload }) => unloaded.add(payload));

/** The format of times in the server's messages. */
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/**
 * The text of an error: the server's message, which names the field, and what to do.
 *
 * @param later the hint when the server asks to wait: `when` is such as "in 40 seconds"
 */
export function describeError(error: unknown, later?: (when: string) => string): string {
  if (!(error instanceof ApiError)) {
    if (!(error instanceof Error)) return String(error);
    return unloaded.has(error) ? text('ui.common.unreachable') : error.message;
  }
  // While the server is away, a proxy answers with a page of its own.
  const isFromProxy = error.status >= 500 && error.code === 'unknown';
  if (error.status === 0 || isFromProxy) return text('ui.common.unreachable');
  const words = inOwnWords(error).replace(TIMESTAMP, (at) => fullTime(Date.parse(at)));
  const message = words.charAt(0).toUpperCase() + words.slice(1);
  const seconds = error.retryAfterSeconds;
  if (seconds === undefined) return message;
  const now = serverNow();
  const when = relativeTime(now + seconds * 1000, now);
  return `${message}. ${later?.(when) ?? text('ui.common.retryAt', { when })}`;
}

/** The text of an error that is about one of these fields: for the `error` of its input. */
export function faultOf(error: unknown, ...fields: string[]): string | undefined {
  const isOfField = error instanceof ApiError && fields.includes(String(error.values?.['field']));
  return isOfField ? describeError(error) : undefined;
}

/** An error in place of, or above, what it concerns; `retry` if repeating the request may help. */
export function Fault({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useTexts();
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : undefined;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle />}
      title={t('ui.common.failed')}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{describeError(error)}</Text>
        {requestId && (
          <Text size="xs" ff="monospace">
            {t('ui.common.requestId', { id: requestId })}
          </Text>
        )}
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {t('ui.common.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** The same in place of a whole page. */
export function PageFault(fault: Parameters<typeof Fault>[0]) {
  return (
    <Center component="main" mih="80vh" p="md">
      <Fault {...fault} />
    </Center>
  );
}

/** Reports the result of an action in a corner notification and to screen readers. */
export function tell(message: string): void {
  notify(message, 'teal', 4000);
}

/** How the open dialogs show errors, the topmost last. */
export const dialogs: ((error: unknown) => void)[] = [];

/**
 * Reports why an action failed, also to screen readers: in the open dialog, whose buttons a notification could cover, or else in
 * a corner notification. For `onError` of mutations.
 */
export function showError(error: unknown): void {
  const showInDialog = dialogs.at(-1);
  if (showInDialog) showInDialog(error);
  else notify(describeError(error), 'red', 8000);
}

/** Replaces the notification with the same message, if any: what is tried again and again does not fill the screen. */
function notify(message: string, color: string, autoClose: number): void {
  notifications.updateState(notificationsStore, (shown) => shown.filter((one) => one.message !== message));
  notifications.show({ message, color, autoClose });
}

/** Code that is missing right after the page was loaded would be missing again. */
const OUTDATED_AFTER_MS = 10_000;

/** If the server is there, but not the code, it has been updated since the page was loaded. */
async function reloadOutdated(): Promise<void> {
  if (performance.now() < OUTDATED_AFTER_MS) return;
  const answer = await fetch(location.href, { method: 'HEAD' }).catch(() => undefined);
  if (answer?.ok) location.reload();
}

/** Replaces a route that failed or does not exist; a `div` if the page already has a `main`. */
export function RouteFault({ component = 'main' }: { component?: 'main' | 'div' }) {
  const error = useRouteError();
  const t = useTexts();
  const isMissing =
    (isRouteErrorResponse(error) && error.status === 404) ||
    (error instanceof ApiError && error.status === 404);
  const isUnloaded = error instanceof Error && unloaded.has(error);
  const isOffline = isUnloaded && !navigator.onLine;
  const what = isMissing ? 'common.notFound' : isOffline ? 'session.offline' : 'common.crashed';
  useWindowEvent('online', () => isUnloaded && location.reload());
  useEffect(() => {
    if (isUnloaded) void reloadOutdated();
  }, [isUnloaded]);
  return (
    <Stack component={component} align="center" p="xl" mt="10vh" gap="sm" ta="center">
      <Title order={1}>{t(`ui.${what}Title`)}</Title>
      <Text c="dimmed">{t(`ui.${what}Text`)}</Text>
      {isMissing && (
        <Button component={Link} to="/">
          {t('ui.common.home')}
        </Button>
      )}
      {what === 'common.crashed' && (
        <>
          <Text ff="monospace">{describeError(error)}</Text>
          <Button onClick={() => location.reload()}>{t('ui.common.reload')}</Button>
        </>
      )}
    </Stack>
  );
}

/** The element of the `*` route. */
export function NotFound(): never {
  throw new ApiError(404, 'not-found', 'no such page');
}
