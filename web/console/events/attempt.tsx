import { Group, Stack, Text } from '@mantine/core';
import type { Attempt, AttemptTimings } from '#contract/webhooks.ts';
import { Moment } from '../../ui/parts/moment.tsx';
import { useServerWords } from '../../ui/server-words.ts';
import { useTexts } from '../../ui/texts.ts';
import { duration } from '../../ui/times.ts';
import classes from './attempt.module.css';
import { eventsTexts } from './texts.ts';

const PHASES = ['dns', 'connect', 'tls', 'firstByte'] as const;

/** The result of one attempt, with its timings. */
export function AttemptView({ attempt }: { attempt: Attempt }) {
  const t = useTexts(eventsTexts);
  const inOwnWords = useServerWords();
  const isDelivered = attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;
  return (
    <Stack gap={6}>
      <Group gap="sm">
        <Text fw={600}>{t.attempt(attempt.attempt)}</Text>
        <Text size="sm" c="dimmed">
          <Moment at={attempt.at} />
        </Text>
        <Text size="sm" c={isDelivered ? 'teal' : 'var(--mantine-color-error)'} fw={600}>
          {attempt.status === undefined ? attempt.errorClass : t.answered(attempt.status)}
        </Text>
        {!isDelivered && attempt.phase && (
          <Text size="sm" c="dimmed">
            {t.failedIn(attempt.phase)}
          </Text>
        )}
      </Group>
      {attempt.message && <Text size="sm">{inOwnWords(attempt)}</Text>}
      {attempt.timings && <Waterfall timings={attempt.timings} />}
    </Stack>
  );
}

/** The phases one after the other, each as long as it took. */
function Waterfall({ timings }: { timings: AttemptTimings }) {
  const t = useTexts(eventsTexts);
  const known = PHASES.flatMap((phase) => {
    const took = timings[phase];
    return took === undefined ? [] : [{ phase: phase as (typeof PHASES)[number] | 'rest', took }];
  });
  const rest = timings.total - known.reduce((sum, { took }) => sum + took, 0);
  const bars = rest > 0.5 ? [...known, { phase: 'rest' as const, took: rest }] : known;
  return (
    <div>
      <div className={classes.bars} aria-hidden="true">
        {bars.map(({ phase, took }) => (
          <div
            key={phase}
            className={classes.bar}
            data-phase={phase}
            style={{ flexGrow: Math.max(took, timings.total / 200) }}
          />
        ))}
      </div>
      <Group gap="md" mt={4}>
        {bars.map(({ phase, took }) => (
          <Text key={phase} size="xs" c="dimmed">
            <span className={classes.key} data-phase={phase} /> {t[phase]} {duration(took)}
          </Text>
        ))}
        <Text size="xs" fw={600}>
          {duration(timings.total)}
        </Text>
      </Group>
    </div>
  );
}
