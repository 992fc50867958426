import { Checkbox, NativeSelect, ScrollArea, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreateReport } from '#contract/chat/reports.ts';
import type { ChatMessage } from '#contract/chat.ts';
import { REPORT_REASONS, type ReportReason } from '#contract/choices.ts';
import { callChat } from '../../ui/api.ts';
import { useAction } from '../../ui/parts/change.ts';
import { FormDialog } from '../../ui/parts/dialog.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { uniqueId } from '../../ui/secure-context.ts';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { clockTime } from '../../ui/times.ts';
import { excerptOf } from '../conversations/excerpt.ts';
import { personName } from '../conversations/names.ts';
import { usePeople } from '../conversations/people.ts';
import { setBlocked } from '../conversations/queries.ts';
import { threadQuery } from '../history/queries.ts';

/** How many of the newest messages can be chosen from. */
const MOST_OFFERED = 30;

/** A report to the operator about a person or a group: a reason, and messages chosen as evidence. */
export default function ReportDialog({
  conversationId,
  userId,
  first,
  onClose,
}: {
  conversationId: string;
  /** The reported person; undefined for a whole group. */
  userId: string | undefined;
  /** The message that was reported: it is already selected. */
  first?: ChatMessage | undefined;
  onClose: () => void;
}) {
  const t = useTexts();
  const [key] = useState(() => uniqueId());
  const send = useAction(
    async (fields: FormData) => {
      const body: CreateReport = {
        conversationId,
        ...(userId !== undefined && { userId }),
        reason: fields.get('reason') as ReportReason,
        comment: String(fields.get('comment')),
        msgIds: fields.getAll('msgIds').map(String),
      };
      await callChat('POST /reports', { body, idempotencyKey: key });
      if (fields.has('block') && userId !== undefined) await setBlocked(userId, true);
    },
    { done: t('chat.report.sent'), onSuccess: onClose },
  );
  const { accountId } = useAccount();
  const people = usePeople(conversationId);
  const offered = useQuery({
    ...threadQuery(conversationId),
    select: ({ messages }) => {
      const theirs = messages.filter(
        ({ from, type }) =>
          (userId === undefined ? from !== accountId : from === userId) &&
          type !== 'deleted' &&
          type !== 'notice',
      );
      const newest = theirs.slice(-MOST_OFFERED);
      return first && !newest.some(({ msgId }) => msgId === first.msgId) ? [first, ...newest] : newest;
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={t('chat.report.title')}
      submit={t('chat.report.send')}
      color="red"
      loading={send.isPending}
      onSubmit={(fields) => send.mutate(fields)}
    >
      <Text size="sm">{t('chat.report.lead')}</Text>
      <NativeSelect
        name="reason"
        label={t('chat.report.reason')}
        data={REPORT_REASONS.map((value) => ({ value, label: t(`chat.report.${value}`) }))}
        data-autofocus
      />
      <QueryView query={offered} empty={<Text size="sm">{t('chat.report.noMessages')}</Text>}>
        {(messages) => (
          <Checkbox.Group label={t('chat.report.messages')} defaultValue={first ? [first.msgId] : []}>
            <ScrollArea.Autosize
              mah={200}
              mt={8}
              type="auto"
              offsetScrollbars="present"
              style={{ overflowWrap: 'anywhere' }}
            >
              <Stack gap="xs">
                {messages.map((message) => (
                  <Checkbox
                    key={message.msgId}
                    name="msgIds"
                    value={message.msgId}
                    label={
                      userId === undefined
                        ? `${personName(people[message.from])}: ${excerptOf(message, people[message.from])}`
                        : excerptOf(message, people[message.from])
                    }
                    description={clockTime(message.sentAt)}
                  />
                ))}
              </Stack>
            </ScrollArea.Autosize>
          </Checkbox.Group>
        )}
      </QueryView>
      <Textarea name="comment" label={t('chat.report.comment')} maxLength={1000} minRows={2} />
      {userId !== undefined && <Switch name="block" label={t('chat.report.blockToo')} />}
    </FormDialog>
  );
}
