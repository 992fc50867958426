import { Button, Card, Container, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconApps, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ApplicationSummary } from '#contract/applications.ts';
import { LIMITS } from '#contract/limits.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { StateBadge } from '../application/state-badge.tsx';
import { applicationsQuery } from '../applications.ts';
import { homeTexts } from './texts.ts';

/** The first screen: the person's applications, or the way to the first one. */
export function Component() {
  const t = { ...useTexts(commonTexts), ...useTexts(homeTexts) };
  const applications = useQuery(applicationsQuery);
  const create = (
    <Button component={Link} to="/new" leftSection={<IconPlus size={18} />}>
      {t.create}
    </Button>
  );
  return (
    <Container size="lg" px={0}>
      <title>{`${t.title} – ${t.service}`}</title>
      <Stack gap="lg">
        <Group justify="space-between">
          <div>
            <Title order={1} size="h2">
              {t.title}
            </Title>
            {applications.data && (
              <Text size="sm" c="dimmed">
                {t.used(applications.data.length, LIMITS.applicationsPerAccount)}
              </Text>
            )}
          </div>
          {applications.data && applications.data.length > 0 && create}
        </Group>
        <QueryView query={applications}>
          {(list) =>
            list.length === 0 ? (
              <Empty icon={<IconApps />} title={t.emptyTitle} action={create}>
                {t.emptyText}
              </Empty>
            ) : (
              <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
                {list.map((one) => (
                  <ApplicationCard key={one.appId} application={one} />
                ))}
              </SimpleGrid>
            )
          }
        </QueryView>
      </Stack>
    </Container>
  );
}

function ApplicationCard({ application: { appId, name, state } }: { application: ApplicationSummary }) {
  return (
    <Card withBorder component={Link} to={`/applications/${appId}`}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} truncate>
          {name}
        </Text>
        <StateBadge state={state} />
      </Group>
    </Card>
  );
}
