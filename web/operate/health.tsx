import { Alert, Code, Group, List, Text, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ServerHealth } from '#contract/operate/health.ts';
import type { Finding } from '#contract/webhooks/finding.ts';
import { Dimmed } from '../ui/parts/dimmed.tsx';
import { Happened, Moment } from '../ui/parts/moment.tsx';
import { QueryView } from '../ui/parts/query-view.tsx';
import { Screen, Section } from '../ui/parts/screen.tsx';
import { WideTable } from '../ui/parts/wide-table.tsx';
import { useServerWords } from '../ui/server-words.ts';
import { formatNumber, useTexts } from '../ui/texts.ts';
import { ApplicationLink, Facts } from './parts/facts.tsx';
import { countFindings } from './parts/findings.ts';
import { operateQuery } from './parts/queries.ts';

const MARKS = {
  ok: { icon: IconCheck, color: 'teal' },
  warning: { icon: IconAlertTriangle, color: 'yellow' },
  fault: { icon: IconX, color: 'red' },
} as const;
const ORDER = { fault: 0, warning: 1, ok: 2 } as const;

/** The findings, the most severe first, each with its remedy. */
function Checks({ findings }: { findings: ServerHealth['findings'] }) {
  const t = useTexts();
  const words = useServerWords();
  // Paths and URLs are the same in every language.
  const tell = (said: Finding) => (said.reason === undefined ? said.message : words(said));
  const sorted = findings.toSorted((one, other) => ORDER[one.state] - ORDER[other.state]);
  return (
    <Section title={t('operate.health.checks')}>
      <List listStyleType="none" spacing="sm">
        {sorted.map(({ check, state, what, remedy }) => {
          const { icon: Icon, color } = MARKS[state];
          return (
            <List.Item key={`${check} ${what.message}`}>
              <Group wrap="nowrap" align="flex-start" gap="sm">
                <ThemeIcon size={22} radius="xl" variant="light" color={color}>
                  <Icon size={14} aria-label={t(`operate.health.${state}`)} role="img" />
                </ThemeIcon>
                <div style={{ minWidth: 0 }}>
                  <Text size="sm">
                    <b>{t.find(`operate.check.${check}`) ?? check}</b>: {tell(what)}
                  </Text>
                  {remedy && <Dimmed>→ {tell(remedy)}</Dimmed>}
                </div>
              </Group>
            </List.Item>
          );
        })}
      </List>
    </Section>
  );
}

/** The current health of the server. */
export function Component() {
  const t = useTexts();
  return (
    <Screen title={t('operate.section.health')} lead={t('operate.health.lead')} size="lg">
      <QueryView query={useQuery({ ...operateQuery('GET /health'), refetchInterval: 15_000 })}>
        {(found) => (
          <>
            <Summary health={found} />
            <Checks findings={found.findings} />
            <Queue queue={found.queue} />
            <Processes processes={found.processes} />
            <Errors errors={found.errors} />
            <Settings settings={found.settings} />
          </>
        )}
      </QueryView>
    </Screen>
  );
}

function Summary({ health: { findings } }: { health: ServerHealth }) {
  const t = useTexts();
  const { faults, warnings, summary } = countFindings(t, findings);
  const isWell = faults + warnings === 0;
  return (
    <Alert
      color={faults > 0 ? 'red' : isWell ? 'teal' : 'yellow'}
      icon={isWell ? <IconCheck /> : <IconAlertTriangle />}
      title={summary}
    />
  );
}

/** The settings in effect; the server omits secrets. */
function Settings({ settings }: { settings: ServerHealth['settings'] }) {
  const t = useTexts();
  return (
    <Section title={t('operate.health.settings')} lead={t('operate.health.settingsLead')}>
      <WideTable
        label={t('operate.health.settings')}
        minWidth={560}
        items={settings}
        keyOf={({ name }) => name}
        columns={[
          [
            t('operate.health.name'),
            ({ name, about }) => {
              const translated = t.find(`operate.setting.${name}`);
              return (
                <>
                  <Code>{name}</Code>
                  <Dimmed size="xs" maw={420} lang={translated === undefined ? 'en' : undefined}>
                    {(translated ?? about).replaceAll('`', '')}
                  </Dimmed>
                </>
              );
            },
          ],
          [
            t('operate.health.value'),
            ({ value, whenNotSet }) =>
              value ?? (
                <Dimmed>
                  {t('operate.health.notSet')}{' '}
                  {t.find(`operate.fallback.${whenNotSet}`) ?? whenNotSet.replaceAll('`', '')}
                </Dimmed>
              ),
          ],
        ]}
      />
    </Section>
  );
}

/** The queue, and the endpoints that delay it. */
function Queue({ queue }: { queue: ServerHealth['queue'] }) {
  const t = useTexts();
  return (
    <Section title={t('operate.health.queue')}>
      <Facts
        facts={{
          [t('operate.health.due')]: formatNumber(queue.due),
          [t('operate.health.waiting')]: formatNumber(queue.waiting),
          [t('operate.health.parked')]: formatNumber(queue.parked),
        }}
      />
      <WideTable
        label={t('operate.health.slowest')}
        minWidth={560}
        items={queue.slowest}
        empty={<Text c="dimmed">{t('operate.health.noneWait')}</Text>}
        keyOf={({ appId }) => appId}
        columns={[
          [t('operate.health.application'), (one) => <ApplicationLink application={one} />],
          [t('operate.health.events'), ({ events }) => formatNumber(events)],
          [t('operate.health.oldest'), ({ oldestDueAt }) => <Moment at={oldestDueAt} />],
          [
            t('operate.health.breaker'),
            ({ breakerOpenedAt }) => (
              <Happened
                words={t('operate.health.open')}
                at={breakerOpenedAt}
                never={t('operate.health.closed')}
              />
            ),
          ],
        ]}
      />
    </Section>
  );
}

/** The running processes and their versions. */
function Processes({ processes }: { processes: ServerHealth['processes'] }) {
  const t = useTexts();
  return (
    <Section title={t('operate.health.processes')}>
      <WideTable
        label={t('operate.health.processes')}
        minWidth={480}
        items={processes}
        keyOf={({ host, pid, startedAt }) => `${host} ${pid} ${startedAt}`}
        columns={[
          [t('operate.health.host'), ({ host, pid }) => `${host} (${pid})`],
          [t('operate.health.version'), ({ version }) => version],
          [t('operate.health.roles'), ({ roles }) => roles],
          [t('operate.health.started'), ({ startedAt }) => <Moment at={startedAt} />],
        ]}
      />
    </Section>
  );
}

/** The latest requests that failed with a server error. */
function Errors({ errors }: { errors: ServerHealth['errors'] }) {
  const t = useTexts();
  return (
    <Section title={t('operate.health.errors')} lead={t('operate.health.errorsLead')}>
      <WideTable
        label={t('operate.health.errors')}
        minWidth={640}
        items={errors}
        empty={<Text c="dimmed">{t('operate.health.noErrors')}</Text>}
        keyOf={({ requestId }) => requestId}
        columns={[
          [t('operate.health.requestId'), ({ requestId }) => <Code>{requestId}</Code>],
          [t('operate.health.route'), ({ method, route }) => `${method} ${route}`],
          [t('operate.health.status'), ({ status }) => status],
          [t('operate.health.when'), ({ at }) => <Moment at={at} />],
        ]}
      />
    </Section>
  );
}
