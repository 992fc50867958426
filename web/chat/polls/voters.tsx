import { Group, Stack, Text } from '@mantine/core';
import type { Poll } from '#contract/polls.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { useTexts } from '../../ui/texts.ts';
import { type People, personName } from '../conversations/people.ts';
import { Avatar } from '../media/avatar.tsx';
import { pollTexts } from './poll-texts.ts';

/** Who voted for which answer, in polls that are not anonymous. */
export function Voters({ poll, people, onClose }: { poll: Poll; people: People; onClose: () => void }) {
  const t = useTexts(pollTexts);
  return (
    <Dialog opened onClose={onClose} title={poll.question} centered>
      <Stack>
        {poll.options.map(({ id, text, votes, voters = [] }) => (
          <div key={id}>
            <Text fw={600}>
              {text}{' '}
              <Text span size="sm" c="dimmed" fw={400}>
                {t.votes(votes)}
              </Text>
            </Text>
            {voters.length === 0 && (
              <Text size="sm" c="dimmed">
                {t.nobody}
              </Text>
            )}
            {voters.map((userId) => {
              const voter = people[userId];
              const name = personName(voter);
              return (
                <Group key={userId} gap="xs" mt={6} wrap="nowrap">
                  <Avatar name={name} seed={userId} pictureUrl={voter?.pictureUrl} size={26} />
                  <Text size="sm">{name}</Text>
                </Group>
              );
            })}
          </div>
        ))}
      </Stack>
    </Dialog>
  );
}
