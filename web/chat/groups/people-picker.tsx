import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Choices } from '../conversations/choices.tsx';
import { type Known, useKnown } from '../conversations/use-conversation.ts';

/** A picker of the people and bots that the person has conversations with. */
export function PeoplePicker({
  chosen,
  onChange,
  isLeftOut = () => false,
  empty,
}: {
  chosen: readonly Known[];
  onChange: (chosen: Known[]) => void;
  isLeftOut?: (userId: string) => boolean;
  /** Shown where there is nobody to choose. */
  empty?: ReactNode;
}) {
  const t = useTexts();
  const known = useKnown();
  return (
    <Stack gap="xs">
      <QueryView query={known}>
        {({ known, hasMore }) => {
          const people = known.filter(({ peer }) => !isLeftOut(peer.userId));
          if (people.length === 0 && !hasMore)
            return (
              <Stack>
                <Text size="sm">{t('chat.group.nobodyYet')}</Text>
                {empty}
              </Stack>
            );
          return (
            <>
              <Group justify="space-between" align="baseline">
                <Text size="sm" fw={600}>
                  {t('chat.group.members')}
                </Text>
                <Text
                  size="xs"
                  c={chosen.length > LIMITS.membersPerRequest ? 'red' : 'dimmed'}
                  aria-live="polite"
                >
                  {chosen.length > LIMITS.membersPerRequest
                    ? t('chat.group.tooMany', { most: LIMITS.membersPerRequest })
                    : t('chat.group.chosen', { count: chosen.length })}
                </Text>
              </Group>
              <Dimmed size="xs">{t('chat.group.membersLead')}</Dimmed>
              <Choices
                find={t('chat.group.searchPeople')}
                none={t('chat.group.nobodyFound')}
                marksBots
                conversations={people}
                chosen={chosen}
                onChange={onChange}
                hasMore={hasMore}
              />
            </>
          );
        }}
      </QueryView>
    </Stack>
  );
}
