import { Alert, Anchor, Code, Group, List, Table, Text, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ServerHealth } from '#contract/operate/health.ts';
import type { Finding } from '#contract/webhooks/finding.ts';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useServerWords } from '../../ui/server-words.ts';
import { formatNumber, useTexts } from '../../ui/texts.ts';
import { Fact, Facts } from '../parts/facts.tsx';
import { healthQuery } from '../parts/queries.ts';
import { sectionTexts } from '../parts/section-texts.ts';
import { fallbackTexts, settingTexts } from './setting-texts.ts';
import { checkNames, healthTexts } from './texts.ts';

const MARKS = {
  ok: { icon: IconCheck, color: 'teal' },
  warning: { icon: IconAlertTriangle, color: 'yellow' },
  fault: { icon: IconX, color: 'red' },
} as const;
const ORDER = { fault: 0, warning: 1, ok: 2 } as const;

/** The findings, the most severe first, each with its remedy. */
function Checks({ findings }: { findings: ServerHealth['findings'] }) {
  const t = useTexts(healthTexts);
  const names: Readonly<Record<string, string>> = useTexts(checkNames);
  const words = useServerWords();
  // Paths and URLs are the same in every language.
  const tell = (said: Finding) => (said.reason === undefined ? said.message : words(said));
  const sorted = findings.toSorted((one, other) => ORDER[one.state] - ORDER[other.state]);
  return (
    <Section title={t.checks}>
      <List listStyleType="none" spacing="sm">
        {sorted.map(({ check, state, what, remedy }) => {
          const { icon: Icon, color } = MARKS[state];
          return (
            <List.Item key={`${check} ${what.message}`}>
              <Group wrap="nowrap" align="flex-start" gap="sm">
                <ThemeIcon size={22} radius="xl" variant="light" color={color}>
                  <Icon size={14} aria-label={t[state]} role="img" />
                </ThemeIcon>
                <div style={{ minWidth: 0 }}>
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    <b>{names[check] ?? check}</b>: {tell(what)}
                  </Text>
                  {remedy && (
                    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      → {tell(remedy)}
                    </Text>
                  )}
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
  const t = useTexts(healthTexts);
  const health = useQuery(healthQuery);
  return (
    <Screen title={useTexts(sectionTexts).health} lead={t.lead} size="lg">
      <QueryView query={health}>
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
  const t = useTexts(healthTexts);
  const count = (wanted: string) => findings.filter(({ state }) => state === wanted).length;
  const [faults, warnings] = [count('fault'), count('warning')];
  const isWell = faults + warnings === 0;
  return (
    <Alert
      color={faults > 0 ? 'red' : isWell ? 'teal' : 'yellow'}
      icon={isWell ? <IconCheck /> : <IconAlertTriangle />}
      title={isWell ? t.allWell : `${t.faults(faults)}, ${t.warnings(warnings)}`}
    />
  );
}

/** The settings in effect; the server omits secrets. */
function Settings({ settings }: { settings: ServerHealth['settings'] }) {
  const t = useTexts(healthTexts);
  const abouts: Readonly<Record<string, string>> = useTexts(settingTexts);
  const fallbackIn: Readonly<Record<string, string>> = useTexts(fallbackTexts);
  return (
    <Section title={t.settings} lead={t.settingsLead}>
      <WideTable label={t.settings} minWidth={560} columns={[t.name, t.value]}>
        {settings.map(({ name, about, value, whenNotSet }) => (
          <Table.Tr key={name}>
            <Table.Td>
              <Code>{name}</Code>
              <Text size="xs" c="dimmed" maw={420} lang={abouts[name] === undefined ? 'en' : undefined}>
                {(abouts[name] ?? about).replaceAll('`', '')}
              </Text>
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {value ?? (
                <Text size="sm" c="dimmed">
                  {t.notSet} {fallbackIn[whenNotSet] ?? whenNotSet.replaceAll('`', '')}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </WideTable>
    </Section>
  );
}

/** The queue, and the endpoints that delay it. */
function Queue({ queue }: { queue: ServerHealth['queue'] }) {
  const t = useTexts(healthTexts);
  return (
    <Section title={t.queue}>
      <Facts>
        <Fact name={t.due}>{formatNumber(queue.due)}</Fact>
        <Fact name={t.waiting}>{formatNumber(queue.waiting)}</Fact>
        <Fact name={t.parked}>{formatNumber(queue.parked)}</Fact>
      </Facts>
      {queue.slowest.length === 0 ? (
        <Text c="dimmed">{t.noneWait}</Text>
      ) : (
        <WideTable label={t.slowest} minWidth={560} columns={[t.application, t.events, t.oldest, t.breaker]}>
          {queue.slowest.map(({ appId, name, events, oldestDueAt, breakerOpenedAt }) => (
            <Table.Tr key={appId}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Anchor component={Link} to={`/applications/${appId}`} inherit>
                  {name || appId}
                </Anchor>
              </Table.Td>
              <Table.Td>{formatNumber(events)}</Table.Td>
              <Table.Td>
                <Moment at={oldestDueAt} />
              </Table.Td>
              <Table.Td>
                {breakerOpenedAt === undefined ? (
                  t.closed
                ) : (
                  <>
                    {t.open} <Moment at={breakerOpenedAt} />
                  </>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </WideTable>
      )}
    </Section>
  );
}

/** The running processes and their versions. */
function Processes({ processes }: { processes: ServerHealth['processes'] }) {
  const t = useTexts(healthTexts);
  return (
    <Section title={t.processes}>
      <WideTable label={t.processes} minWidth={480} columns={[t.host, t.version, t.roles, t.started]}>
        {processes.map(({ host, pid, version, roles, startedAt }) => (
          <Table.Tr key={`${host} ${pid} ${startedAt}`}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {host} ({pid})
            </Table.Td>
            <Table.Td>{version}</Table.Td>
            <Table.Td>{roles}</Table.Td>
            <Table.Td>
              <Moment at={startedAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </WideTable>
    </Section>
  );
}

/** The latest requests that failed with a server error. */
function Errors({ errors }: { errors: ServerHealth['errors'] }) {
  const t = useTexts(healthTexts);
  return (
    <Section title={t.errors} lead={t.errorsLead}>
      {errors.length === 0 ? (
        <Text c="dimmed">{t.noErrors}</Text>
      ) : (
        <WideTable label={t.errors} minWidth={640} columns={[t.requestId, t.route, t.status, t.when]}>
          {errors.map(({ requestId, method, route, status, at }) => (
            <Table.Tr key={requestId}>
              <Table.Td>
                <Code>{requestId}</Code>
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {method} {route}
              </Table.Td>
              <Table.Td>{status}</Table.Td>
              <Table.Td>
                <Moment at={at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </WideTable>
      )}
    </Section>
  );
}
