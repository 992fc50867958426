import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ShownEvent } from '#contract/webhooks.ts';
import { ApiError } from '../../ui/api.ts';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { chatQuery } from '../../ui/parts/query.ts';
import { useServerWords } from '../../ui/server-words.ts';
import { useTexts } from '../../ui/texts.ts';
import { duration } from '../../ui/times.ts';
import { Answer } from './attempt.tsx';

/** Refusals of URLs that are reachable only from this machine or network, or not encrypted. */
const REASONS = new Set([
  'field.webhook-url-scheme',
  'field.url-host-without-dot',
  'field.url-local-host',
  'field.url-private-address',
]);
const OWN_BOT = 'http://localhost:4000/webhook';

/** Suggestions after a webhook URL was refused: the same URL with https, or `listen` for a bot on this machine. */
export function WebhookUrlHelp({
  url,
  error,
  onUse,
}: {
  url: string;
  error: unknown;
  onUse: (url: string) => void;
}) {
  const t = useTexts();
  if (!(error instanceof ApiError) || !REASONS.has(error.reason ?? '')) return null;
  const isUnencrypted = error.reason === 'field.webhook-url-scheme' && /^http:/i.test(url);
  const secure = isUnencrypted ? url.replace(/^http:/i, 'https:') : undefined;
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/i.test(url);
  const forwardTo = /^https?:/i.test(url) && isLocal ? url : OWN_BOT;
  return (
    <Alert variant="default" title={t('console.events.urlRefused')}>
      <Stack gap="sm" align="flex-start">
        {secure && !isLocal && (
          <Button variant="default" size="compact-sm" onClick={() => onUse(secure)}>
            {t('console.events.overHttps', { url: secure })}
          </Button>
        )}
        <Text size="sm">{t('console.events.ownMachine')}</Text>
        <CopyField
          label={t('console.events.listen')}
          isBlock
          value={[
            `export PARLEY_URL=${location.origin} PARLEY_API_KEY=… PARLEY_WEBHOOK_SECRET=…`,
            // By URL: the name alone would install whatever package the public registry has under it.
            `npx --allow-remote=root ${location.origin}/sdk/parley-sdk.tgz listen --forward-to ${forwardTo}`,
          ].join('\n')}
        />
      </Stack>
    </Alert>
  );
}

/** The result of a ping, in words. */
export function PingResult({ ping }: { ping: ShownEvent }) {
  const t = useTexts();
  const inOwnWords = useServerWords();
  const attempt = ping.attemptLog.at(-1);
  const isDelivered = ping.state === 'delivered';
  const facts = [
    attempt?.status !== undefined && t('console.events.answered', { status: attempt.status }),
    attempt?.timings && duration(attempt.timings.total),
    attempt && inOwnWords(attempt),
  ];
  return (
    <Alert
      w="100%"
      color={isDelivered ? 'teal' : 'red'}
      title={isDelivered ? t('console.events.pingDelivered') : t('console.events.pingFailed')}
    >
      <Text size="sm">{facts.filter(Boolean).join(' · ')}</Text>
      {attempt?.answer && <Answer answer={attempt.answer} isOpen />}
    </Alert>
  );
}

/** Explains why a bot on another machine cannot load uploads. */
export function FilesNotice() {
  const t = useTexts();
  const { data: limits } = useQuery({
    ...chatQuery(['media-limits'], 'GET /media/limits'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!limits || limits.isPublic) return null;
  return (
    <Alert variant="default" icon={<IconPhotoOff />} title={t('console.events.filesTitle')} maw={640}>
      {t('console.events.filesText')}
    </Alert>
  );
}
