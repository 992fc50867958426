import { Button, Checkbox, Group, ScrollArea, SimpleGrid, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { runs, useAction } from '../../ui/parts/change.ts';
import { useTexts } from '../../ui/texts.ts';
import { Avatar } from '../media/avatar.tsx';
import classes from './choices.module.css';
import { readMoreConversations } from './queries.ts';

/** Who or what can be chosen. */
interface Choice {
  id: string;
  avatar: Omit<ComponentProps<typeof Avatar>, 'size'>;
  /** After the name. */
  mark?: ReactNode;
}

/** A list to choose from by the loaded conversations, and a button that loads more of them. */
export function Choices({
  label,
  choices,
  chosen,
  onChange,
  none,
  hasMore,
}: {
  label?: string;
  choices: readonly Choice[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** Said where there is nothing to choose. */
  none: string;
  hasMore: boolean;
}) {
  const t = useTexts();
  const client = useQueryClient();
  const more = useAction(() => readMoreConversations(client));
  return (
    <ScrollArea.Autosize mah={280} type="auto" offsetScrollbars="present">
      <SimpleGrid component="ul" spacing={2} aria-label={label}>
        {choices.map(({ id, avatar, mark }) => (
          <li key={id}>
            <Checkbox
              className={classes.choice ?? ''}
              checked={chosen.includes(id)}
              onChange={({ currentTarget: { checked } }) => {
                const rest = chosen.filter((other) => other !== id);
                onChange(checked ? [...rest, id] : rest);
              }}
              label={
                <Group gap="sm" wrap="nowrap">
                  <Avatar {...avatar} size={32} />
                  <Text span truncate>
                    {avatar.name}
                  </Text>
                  {mark}
                </Group>
              }
            />
          </li>
        ))}
      </SimpleGrid>
      {choices.length === 0 && <Text size="sm">{none}</Text>}
      {hasMore && (
        <Button variant="subtle" size="compact-sm" {...runs(more)}>
          {t('ui.common.loadMore')}
        </Button>
      )}
    </ScrollArea.Autosize>
  );
}
