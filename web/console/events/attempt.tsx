import { Badge, Box, Code, Flex, Group, Stack, Table, Text } from '@mantine/core';
import type { AttemptTimings, ReceiverAnswer, ShownEvent } from '#contract/webhooks.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Timestamp } from '../../ui/parts/moment.tsx';
import { useServerWords } from '../../ui/server-words.ts';
import { useTexts } from '../../ui/texts.ts';
import { duration } from '../../ui/times.ts';

const COLOURS = {
  dns: '#7048e8',
  connect: '#1c7ed6',
  tls: '#0ca678',
  firstByte: '#f08c00',
  rest: 'light-dark(#868e96, #adb5bd)',
};
const PHASES = ['dns', 'connect', 'tls', 'firstByte'] as const;
type ShownPhase = keyof typeof COLOURS;

type ShownAttempt = ShownEvent['attemptLog'][number];

/** All attempts, the latest first; their timings share one scale, so that they can be compared. */
export function AttemptLog({ attempts }: { attempts: readonly ShownAttempt[] }) {
  const longestMs = Math.max(0, ...attempts.map(({ timings }) => timings?.total ?? 0));
  const lastAnswered = attempts.findLast(({ answer }) => answer)?.number;
  return (
    <Stack gap="lg">
      {attempts.toReversed().map((attempt) => (
        <AttemptView
          key={attempt.number}
          attempt={attempt}
          longestMs={longestMs}
          isOpen={attempt.number === lastAnswered}
        />
      ))}
    </Stack>
  );
}

function AttemptView({
  attempt,
  longestMs,
  isOpen,
}: {
  attempt: ShownAttempt;
  longestMs: number;
  /** Whether the answer is shown at once. */
  isOpen: boolean;
}) {
  const t = useTexts();
  const inOwnWords = useServerWords();
  const isDelivered = attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;
  const failedIn = attempt.phase === 'body' ? 'rest' : PHASES.find((phase) => phase === attempt.phase);
  return (
    <Stack gap={6}>
      <Group gap="sm">
        <Text fw={600}>{t('console.events.attempt', { number: attempt.number })}</Text>
        {attempt.attempt === 1 && attempt.number > 1 && <Badge fw={500}>{t('console.events.manual')}</Badge>}
        <Dimmed>
          <Timestamp at={attempt.at} />
        </Dimmed>
        <Text size="sm" c={isDelivered ? 'teal' : 'var(--mantine-color-error)'} fw={600}>
          {attempt.status === undefined
            ? attempt.errorClass
            : t('console.events.answered', { status: attempt.status })}
        </Text>
        {attempt.host && <Dimmed>{t('console.events.to', { host: attempt.host })}</Dimmed>}
        {!isDelivered && failedIn && (
          <Dimmed>{t('console.events.failedIn', { phase: t(`console.events.${failedIn}`) })}</Dimmed>
        )}
      </Group>
      {attempt.message && <Text size="sm">{inOwnWords(attempt)}</Text>}
      {attempt.timings && (
        <Waterfall timings={attempt.timings} last={failedIn ?? 'rest'} longestMs={longestMs} />
      )}
      {attempt.answer && <Answer answer={attempt.answer} isOpen={isOpen} />}
    </Stack>
  );
}

/** The phases in sequence, each as wide as its duration; the full width is the longest attempt. */
function Waterfall({
  timings,
  last,
  longestMs,
}: {
  timings: AttemptTimings;
  /** The phase in which it ended: its duration is what the others leave. */
  last: ShownPhase;
  longestMs: number;
}) {
  const t = useTexts();
  const known = PHASES.flatMap((phase) => {
    const took = timings[phase];
    return took === undefined ? [] : [{ phase: phase as ShownPhase, took }];
  });
  const rest = timings.total - known.reduce((sum, { took }) => sum + took, 0);
  const bars = rest > 0.5 ? [...known, { phase: last, took: rest }] : known;
  return (
    <div>
      <Flex gap={2} h={10} miw={12} w={`${(timings.total / (longestMs || 1)) * 100}%`} aria-hidden="true">
        {bars.map(({ phase, took }) => (
          <Box
            key={phase}
            miw={2}
            bg={COLOURS[phase]}
            style={{ flex: `${Math.max(took, timings.total / 200)} 1 0`, borderRadius: 3 }}
          />
        ))}
      </Flex>
      <Group gap="md" mt={4}>
        {bars.map(({ phase, took }) => (
          <Dimmed key={phase} size="xs">
            <Box
              component="span"
              display="inline-block"
              w={8}
              h={8}
              bg={COLOURS[phase]}
              style={{ borderRadius: 2 }}
            />{' '}
            {t(`console.events.${phase}`)} {duration(took)}
          </Dimmed>
        ))}
        <Text size="xs" fw={600}>
          {duration(timings.total)}
        </Text>
      </Group>
    </div>
  );
}

/** The beginning of what a receiver answered to a failed attempt, as plain text. */
export function Answer({ answer, isOpen }: { answer: ReceiverAnswer; isOpen: boolean }) {
  const t = useTexts();
  const { headers, areHeadersCut } = answer;
  return (
    <details open={isOpen}>
      <Text component="summary" size="sm" fw={600} style={{ cursor: 'pointer' }}>
        {t('console.events.response')}
      </Text>
      <Stack gap="xs" mt="xs">
        <Body answer={answer} />
        <Table aria-label={t('console.events.headers')} withRowBorders={false} verticalSpacing={2} fz="xs">
          <Table.Tbody>
            {headers.map(({ name, value }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a name may occur twice, and the list never changes.
              <Table.Tr key={i} style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
                <Table.Th scope="row" fw={500} w="35%">
                  {name}
                </Table.Th>
                <Table.Td ff="monospace">{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {areHeadersCut && <Dimmed>{t('console.events.headersCut')}</Dimmed>}
      </Stack>
    </details>
  );
}

function Body({ answer: { body, isBinary, isCut } }: { answer: ReceiverAnswer }) {
  const t = useTexts();
  if (isBinary) return <Dimmed>{t('console.events.bodyBinary')}</Dimmed>;
  if (body === '') return <Dimmed>{t('console.events.bodyEmpty')}</Dimmed>;
  return (
    <>
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={t('console.events.responseBody')}
        mah={320}
        style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {body}
      </Code>
      {isCut && <Dimmed>{t('console.events.bodyCut')}</Dimmed>}
    </>
  );
}
