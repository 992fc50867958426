import { Code, Table, Text } from '@mantine/core';
import type { ServerHealth } from '#contract/operate/health.ts';
import { Moment } from '../../ui/parts/moment.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { healthTexts } from './texts.ts';

/** The running processes and their versions. */
export function Processes({ processes }: { processes: ServerHealth['processes'] }) {
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
export function Errors({ errors }: { errors: ServerHealth['errors'] }) {
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
