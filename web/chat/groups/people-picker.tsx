import { Badge, Button, Checkbox, Group, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Peer } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { conversationsQuery, managementBotQuery, readMoreConversations } from '../conversations/queries.ts';
import { Avatar } from '../media/avatar.tsx';
import classes from './groups.module.css';

/** A picker of the people and bots that the person has conversations with. */
export function PeoplePicker({
  chosen,
  onChange,
  isLeftOut = () => false,
}: {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  isLeftOut?: (userId: string) => boolean;
}) {
  const t = useTexts();
  const client = useQueryClient();
  const [searched, setSearched] = useState('');
  const conversations = useQuery(conversationsQuery);
  const managementBot = useQuery(managementBotQuery).data;
  const more = useMutation({ mutationFn: () => readMoreConversations(client), onError: showError });
  const mayJoin = (peer: Peer | undefined): peer is Peer =>
    peer !== undefined && !peer.isDeleted && peer.userId !== managementBot?.userId && !isLeftOut(peer.userId);
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="baseline">
        <Text size="sm" fw={600}>
          {t('chat.group.members')}
        </Text>
        <Text size="xs" c={chosen.length > LIMITS.membersPerRequest ? 'red' : 'dimmed'} aria-live="polite">
          {chosen.length > LIMITS.membersPerRequest
            ? t('chat.group.tooMany', { most: LIMITS.membersPerRequest })
            : t('chat.group.chosen', { count: chosen.length })}
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        {t('chat.group.membersLead')}
      </Text>
      <QueryView query={conversations}>
        {(list) => {
          const people = list.conversations.map(({ peer }) => peer).filter(mayJoin);
          const found = people.filter(({ name }) => includes(name, searched));
          if (people.length === 0 && !list.nextCursor)
            return <Text size="sm">{t('chat.group.nobodyYet')}</Text>;
          return (
            <>
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
                {list.nextCursor && (
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
