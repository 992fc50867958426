import { Badge, Button, Checkbox, Group, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Peer } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { readMoreConversations } from '../conversations/queries.ts';
import { useKnown } from '../conversations/use-conversation.ts';
import { Avatar } from '../media/avatar.tsx';
import classes from './groups.module.css';

/** A picker of the people and bots that the person has conversations with. */
export function PeoplePicker({
  chosen,
  onChange,
  isLeftOut = () => false,
  empty,
}: {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  isLeftOut?: (userId: string) => boolean;
  /** Shown where there is nobody to choose. */
  empty?: ReactNode;
}) {
  const t = useTexts();
  const client = useQueryClient();
  const [searched, setSearched] = useState('');
  const known = useKnown();
  const more = useMutation({ mutationFn: () => readMoreConversations(client), onError: showError });
  return (
    <Stack gap="xs">
      <QueryView query={known}>
        {({ known, hasMore }) => {
          const people = known.map(({ peer }) => peer).filter(({ userId }) => !isLeftOut(userId));
          const found = people.filter(({ name }) => includes(name, searched));
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
              <Text size="xs" c="dimmed">
                {t('chat.group.membersLead')}
              </Text>
              <TextInput
                aria-label={t('chat.group.searchPeople')}
                placeholder={t('chat.group.searchPeople')}
                leftSection={<IconSearch size={16} />}
                value={searched}
                onChange={(event) => setSearched(event.currentTarget.value)}
              />
              <ScrollArea.Autosize mah={280} type="auto" offsetScrollbars="present">
                <ul className={classes.people}>
                  {found.map((peer) => (
                    <li key={peer.userId}>
                      <Person
                        peer={peer}
                        isChosen={chosen.includes(peer.userId)}
                        onChoose={(isChosen) =>
                          onChange(
                            isChosen
                              ? [...chosen, peer.userId]
                              : chosen.filter((userId) => userId !== peer.userId),
                          )
                        }
                      />
                    </li>
                  ))}
                </ul>
                {found.length === 0 && <Text size="sm">{t('chat.group.nobodyFound')}</Text>}
                {hasMore && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    loading={more.isPending}
                    onClick={() => more.mutate(undefined)}
                  >
                    {t('ui.common.loadMore')}
                  </Button>
                )}
              </ScrollArea.Autosize>
            </>
          );
        }}
      </QueryView>
    </Stack>
  );
}

function Person({
  peer: { userId, name, isBot, pictureUrl },
  isChosen,
  onChoose,
}: {
  peer: Peer;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}) {
  const t = useTexts();
  return (
    <Checkbox
      className={classes.person}
      checked={isChosen}
      onChange={(event) => onChoose(event.currentTarget.checked)}
      label={
        <Group gap="sm" wrap="nowrap">
          <Avatar name={name} seed={userId} pictureUrl={pictureUrl} size={32} />
          <Text span truncate>
            {name}
          </Text>
          {isBot && (
            <Badge variant="light" color="gray" tt="none" size="sm">
              {t('chat.group.bot')}
            </Badge>
          )}
        </Group>
      }
    />
  );
}

function includes(name: string, searched: string): boolean {
  return name.toLocaleLowerCase().includes(searched.trim().toLocaleLowerCase());
}
