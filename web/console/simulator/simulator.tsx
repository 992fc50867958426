import { Button, Group, SimpleGrid } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Simulator } from '#contract/applications/simulator.ts';
import { callConsole } from '../../ui/api.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { DeveloperOnly } from '../application/developer-only.tsx';
import { useApplication } from '../application/layout.tsx';
import { useChange } from '../application/queries.ts';
import { LiveBadge } from '../live/live-switch.tsx';
import { ChatPane } from './chat-pane.tsx';
import { simulatorQuery, timelineQuery, useLiveTimeline } from './queries.ts';
import { TimelineItems } from './timeline-items.tsx';

/** A chat with the developer's own bot as a test person, beside everything that results from it. */
export function Component() {
  const t = useTexts();
  const { appId } = useApplication();
  const simulator = useQuery(simulatorQuery(appId));
  return (
    <Screen title={t('console.simulator.title')} lead={t('console.simulator.lead')} size="xl">
      <QueryView query={simulator}>
        {(found) =>
          found ? (
            <Stage simulator={found} />
          ) : (
            <Empty
              icon={<IconRobot />}
              title={t('console.simulator.noBot')}
              action={
                <Button component={Link} to={`/applications/${appId}/bot`}>
                  {t('console.simulator.toBot')}
                </Button>
              }
            >
              {t('console.simulator.noBotText')}
            </Empty>
          )
        }
      </QueryView>
    </Screen>
  );
}

function Stage({ simulator }: { simulator: Simulator }) {
  const t = useTexts();
  const { appId } = useApplication();
  const live = useLiveTimeline(appId);
  const timeline = useQuery(timelineQuery(appId));
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
      <DeveloperOnly>
        <Section title={t('console.simulator.chat')} action={<Actions simulator={simulator} />}>
          <QueryView query={timeline}>
            {({ items }) => (
              <ChatPane simulator={simulator} messages={items.flatMap(({ message }) => message ?? [])} />
            )}
          </QueryView>
        </Section>
      </DeveloperOnly>
      <Section
        title={t('console.simulator.timeline')}
        lead={t('console.simulator.timelineLead')}
        action={<LiveBadge state={live} />}
      >
        <QueryView query={timeline}>
          {({ items }) => <TimelineItems simulator={simulator} items={items} />}
        </QueryView>
      </Section>
    </SimpleGrid>
  );
}

function Actions({ simulator: { isBlocked } }: { simulator: Simulator }) {
  const t = useTexts();
  const { appId } = useApplication();
  const act = (verb: 'block' | 'unblock' | 'reset') =>
    callConsole(`POST /applications/:appId/simulator/${verb}`, { params: { appId } });
  const block = useChange(appId, () => act(isBlocked ? 'unblock' : 'block'));
  const reset = useChange(appId, () => act('reset'), { done: t('console.simulator.resetDone') });
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        loading={block.isPending}
        onClick={() => block.mutate(undefined)}
      >
        {isBlocked ? t('console.simulator.unblock') : t('console.simulator.block')}
      </Button>
      <ConfirmButton
        size="compact-sm"
        variant="default"
        label={t('console.simulator.reset')}
        title={t('console.simulator.resetTitle')}
        onConfirm={() => reset.mutate(undefined)}
      >
        {t('console.simulator.resetText')}
      </ConfirmButton>
    </Group>
  );
}
