import { Anchor, Button, Code, Group, Text, Timeline } from '@mantine/core';
import { IconDownload, IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { OperatorAct } from '#contract/operate/acts.ts';
import { download } from '../ui/download.ts';
import { useChangeOf } from '../ui/parts/change.ts';
import { Empty } from '../ui/parts/empty.tsx';
import { Timestamp } from '../ui/parts/moment.tsx';
import { Pages } from '../ui/parts/pages.tsx';
import { Screen } from '../ui/parts/screen.tsx';
import { useTexts } from '../ui/texts.ts';
import { fullTime } from '../ui/times.ts';
import { actsQuery } from './parts/queries.ts';

/** The operators' log, newest first. */
export function Component() {
  const t = useTexts();
  const pages = useInfiniteQuery(actsQuery);
  const exported = useChangeOf([actsQuery.queryKey], () =>
    download('/api/operate/acts/export', 'operators.ndjson'),
  );
  return (
    <Screen
      title={t('operate.section.acts')}
      lead={t('operate.act.lead')}
      action={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={exported.isPending}
          onClick={() => exported.mutate(undefined)}
        >
          {t('operate.act.export')}
        </Button>
      }
    >
      <Pages
        query={pages}
        items={({ acts }) => acts}
        empty={<Empty icon={<IconHistory />} title={t('operate.act.none')} />}
      >
        {(acts) => (
          <Timeline bulletSize={14} lineWidth={2}>
            {acts.map((act) => (
              <Timeline.Item key={act.actId} title={<Title act={act} />}>
                <Details act={act} />
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </Pages>
    </Screen>
  );
}

function Title({ act: { operator, provider, act } }: { act: OperatorAct }) {
  const t = useTexts();
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <b>{(operator ?? provider)?.name ?? t('operate.act.commandLine')}</b> {t(`operate.actName.${act}`)}
    </Text>
  );
}

/** Details that are times. */
const TIMES: ReadonlySet<string> = new Set(['until', 'expiresAt']);

function Details({ act: { at, subject, details } }: { act: OperatorAct }) {
  return (
    <>
      <Group gap="xs">
        <Text size="xs" c="dimmed">
          <Timestamp at={at} />
        </Text>
        <Subject id={subject} />
      </Group>
      <Group gap="xs" mt={4}>
        {Object.entries(details).map(([name, value]) => (
          <Code key={name} style={{ overflowWrap: 'anywhere' }}>
            {name}: {TIMES.has(name) ? fullTime(Number(value)) : value}
          </Code>
        ))}
      </Group>
    </>
  );
}

function Subject({ id }: { id: string }) {
  const to = id.startsWith('usr')
    ? `/people/${id}`
    : id.startsWith('app')
      ? `/applications/${id}`
      : id.startsWith('rpt')
        ? `/reports/${id}`
        : undefined;
  const look = { size: 'xs', ff: 'monospace', style: { overflowWrap: 'anywhere' } } as const;
  if (to) {
    return (
      <Anchor component={Link} to={to} {...look}>
        {id}
      </Anchor>
    );
  }
  return /^(prv|grp)/.test(id) && <Text {...look}>{id}</Text>;
}
