import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconLink, IconRobot, IconWand } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTexts } from '../../ui/texts.ts';
import classes from './beginnings.module.css';
import { managementBotQuery } from './queries.ts';
import { conversationTexts } from './texts.ts';

/** Shown while the list is empty: how to begin the first conversation. */
export function GettingStarted() {
  const t = useTexts(conversationTexts);
  const { data: bot } = useQuery(managementBotQuery);
  return (
    <Stack p="md" gap="md">
      <div>
        <Title order={2} size="h4">
          {t.beginTitle}
        </Title>
        <Text size="sm" c="dimmed">
          {t.beginText}
        </Text>
      </div>
      <Stack gap={4}>
        <Step
          to="/settings/invite"
          icon={<IconLink size={20} />}
          title={t.invitePeople}
          text={t.inviteText}
        />
        <Step to="/new/bot" icon={<IconRobot size={20} />} title={t.findBot} text={t.findBotText} />
        {bot?.username && (
          <Step
            to={`/c/${bot.conversationId}?bot=${bot.username}`}
            icon={<IconWand size={20} />}
            title={t.ownBot}
            text={t.ownBotText}
          />
        )}
      </Stack>
    </Stack>
  );
}

function Step({ to, icon, title, text }: { to: string; icon: ReactNode; title: string; text: string }) {
  return (
    <Link to={to} className={classes.way}>
      <ThemeIcon size={40} radius="xl" variant="light" aria-hidden="true">
        {icon}
      </ThemeIcon>
      <div>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
    </Link>
  );
}
