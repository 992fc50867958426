import { Card, Group, Stack, Text } from '@mantine/core';
import type { Bot } from '#contract/bots.ts';
import { Avatar } from '../../ui/parts/avatar.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { botTexts } from './texts.ts';

/** The profile as the chat shows it. */
export function Preview({ bot }: { bot: Bot }) {
  const t = useTexts(botTexts);
  return (
    <Section title={t.preview} lead={t.nameFollows}>
      <Card withBorder>
        <Stack gap="sm">
          <Group wrap="nowrap">
            <Avatar name={bot.name} seed={bot.userId} pictureUrl={bot.pictureUrl} size={48} />
            <div style={{ minWidth: 0 }}>
              <Text fw={600} truncate>
                {bot.name}
              </Text>
              <Text size="sm" c="dimmed">
                @{bot.username}
              </Text>
            </div>
          </Group>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }} {...(!bot.description && { c: 'dimmed' })}>
            {bot.description || t.noDescription}
          </Text>
          {bot.commands.length > 0 && (
            <Stack gap={4}>
              {bot.commands.map(({ command, description }, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two rows may be equal while they are being edited.
                <Text size="sm" key={i}>
                  <Text span ff="monospace" c="var(--mantine-color-anchor)">
                    /{command}
                  </Text>{' '}
                  {description}
                </Text>
              ))}
            </Stack>
          )}
        </Stack>
      </Card>
    </Section>
  );
}
