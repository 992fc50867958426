import { Anchor, Card, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { botQuery } from '../bot/queries.ts';
import { latestEventsQuery } from '../events/queries.ts';
import { overviewTexts } from './texts.ts';

/** The remaining steps of a new application, in order; nothing once all are done. */
export function NextSteps({ hasSent }: { hasSent: boolean }) {
  const t = useTexts(overviewTexts);
  const { appId, apiKeys, webhookUrl } = useApplication();
  const bot = useQuery(botQuery(appId)).data;
  const events = useQuery(latestEventsQuery(appId)).data;
  if (bot === undefined || events === undefined) return null;
  const hasEvents = events.some(({ type }) => type !== 'ping');
  const isUsed = apiKeys.some(({ lastUsedAt }) => lastUsedAt !== undefined);
  const steps = [
    { isLeft: !bot, to: 'bot', title: t.nextBot, text: t.nextBotText },
    { isLeft: !webhookUrl && !isUsed, to: 'events', title: t.nextWebhook, text: t.nextWebhookText },
    { isLeft: bot && !hasEvents, to: 'simulator', title: t.nextEvent, text: t.nextEventText },
    { isLeft: hasEvents && !hasSent, to: 'simulator', title: t.nextAnswer, text: t.nextAnswerText },
  ].filter(({ isLeft }) => isLeft);
  if (steps.length === 0) return null;
  return (
    <Section title={t.next}>
      <Stack gap="xs">
        {steps.map((step) => (
          <Card key={step.title} withBorder padding="sm">
            <Anchor component={Link} to={`/applications/${appId}/${step.to}`} fw={600}>
              {step.title}
            </Anchor>
            <Text size="sm" c="dimmed">
              {step.text}
            </Text>
          </Card>
        ))}
      </Stack>
    </Section>
  );
}
