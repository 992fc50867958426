import { Box, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import type { Poll } from '#contract/polls.ts';
import { callChat } from '../../ui/api.ts';
import { confirms, useAction } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { isSecondTap } from '../../ui/parts/second-tap.ts';
import { useAccount } from '../../ui/session/session.ts';
import { formatPercent, useTexts } from '../../ui/texts.ts';
import { PersonLine, useLearned } from '../conversations/person-line.tsx';
import { threadQuery } from '../history/queries.ts';
import { withPoll } from '../history/window.ts';
import classes from './poll.module.css';

/** A poll: its question, the answers to vote for, and the results. */
export default function PollBody({ message, poll }: { message: ChatMessage; poll: Poll }) {
  const t = useTexts();
  const { accountId } = useAccount();
  const { conversationId, from } = message;
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const change = useAction(
    (optionId?: string) =>
      optionId === undefined
        ? callChat('POST /polls/close', { body: { messageId: poll.msgId } })
        : callChat('POST /polls/vote', { body: { messageId: poll.msgId, optionId } }),
    {
      onSuccess: (answer) => {
        const { queryKey } = threadQuery(conversationId);
        client.setQueryData(queryKey, (shown) => shown && withPoll(shown, answer.poll));
      },
    },
  );
  const kind = poll.allowMultipleAnswers ? t('chat.poll.chooseSeveral') : t('chat.poll.chooseOne');
  return (
    <Box w="22rem" maw="100%">
      <Text fw={650} lh={1.35}>
        {poll.question}
      </Text>
      <Dimmed size="xs">
        {poll.closed ? t('chat.poll.closed') : kind}
        {poll.isAnonymous && ` · ${t('chat.poll.anonymous')}`}
      </Dimmed>
      {poll.options.map(({ id, text, votes }) => {
        const share = poll.totalVoters === 0 ? 0 : votes / poll.totalVoters;
        const isMine = poll.myOptionIds.includes(id);
        return (
          <button
            key={id}
            type="button"
            className={classes.option}
            aria-pressed={isMine}
            disabled={poll.closed || change.isPending}
            onClick={(event) => isSecondTap(event) || change.mutate(id)}
          >
            <span className={classes.line}>
              <span className={classes.mark} data-several={poll.allowMultipleAnswers || undefined}>
                {isMine && <IconCheck size={12} stroke={3} aria-hidden="true" />}
              </span>
              <span>{text}</span>
              <Text span size="sm" c="dimmed" aria-label={t('chat.poll.votes', { count: votes })}>
                {poll.totalVoters === 0 ? votes : `${votes} · ${formatPercent(share)}`}
              </Text>
            </span>
            <Progress
              value={share * 100}
              size={4}
              radius={2}
              mt={4}
              ml={26}
              bg="light-dark(rgb(0 0 0 / 9%), rgb(255 255 255 / 14%))"
              transitionDuration={200}
              aria-hidden="true"
            />
          </button>
        );
      })}
      <Group justify="space-between" mt={8} gap="xs">
        <Dimmed size="xs">{t('chat.poll.voters', { count: poll.totalVoters })}</Dimmed>
        {/* The text of the outer buttons ends where the bars do. */}
        <Group gap={4} mx="-0.4375rem">
          {poll.totalVotes > 0 && namesVoters(poll) && (
            <Button size="compact-xs" variant="subtle" onClick={() => setOpen(true)}>
              {t('chat.poll.showVoters')}
            </Button>
          )}
          {from === accountId && !poll.closed && (
            <ConfirmButton
              size="compact-xs"
              variant="subtle"
              color="red"
              label={t('chat.poll.close')}
              title={t('chat.poll.closeTitle')}
              text={t('chat.poll.closeText')}
              {...confirms(change)}
            />
          )}
        </Group>
      </Group>
      {isOpen && <Voters conversationId={conversationId} poll={poll} onClose={() => setOpen(false)} />}
    </Box>
  );
}

/** Not of an anonymous poll; those of a broadcast list only to its creator. */
function namesVoters({ options }: Poll): boolean {
  return options.every(({ votes, voters }) => voters?.length === votes);
}

/** Who voted for which answer, in polls that are not anonymous. */
function Voters({
  conversationId,
  poll,
  onClose,
}: {
  conversationId: string;
  poll: Poll;
  onClose: () => void;
}) {
  const t = useTexts();
  const people = useLearned(
    conversationId,
    poll.options.flatMap(({ voters = [] }) => voters),
  );
  return (
    <Dialog opened onClose={onClose} title={poll.question}>
      <Stack>
        {poll.options.map(({ id, text, votes, voters = [] }) => (
          <div key={id}>
            <Text fw={600}>
              {text}{' '}
              <Text span size="sm" c="dimmed" fw={400} style={{ whiteSpace: 'nowrap' }}>
                {t('chat.poll.votes', { count: votes })}
              </Text>
            </Text>
            {voters.length === 0 && <Dimmed>{t('chat.poll.nobody')}</Dimmed>}
            {voters.map((userId) => (
              <PersonLine key={userId} userId={userId} person={people[userId]} />
            ))}
          </div>
        ))}
      </Stack>
    </Dialog>
  );
}
