import { Alert, Text } from '@mantine/core';
import type { LoggedEventDetails } from '#contract/webhooks.ts';
import { useServerWords } from '../../ui/server-words.ts';
import { useTexts } from '../../ui/texts.ts';
import { duration } from '../../ui/times.ts';

/** The result of a ping, in words. */
export function PingResult({ ping }: { ping: LoggedEventDetails }) {
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
      role="status"
    >
      <Text size="sm">{facts.filter(Boolean).join(' · ')}</Text>
    </Alert>
  );
}
