import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { callConsole } from '../../ui/api.ts';
import { Form } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { useChange } from '../application/queries.ts';
import { FilesNotice } from '../events/files-notice.tsx';
import { FIELDS, type MessageType, readMessage, readPoll } from './message-fields.ts';

/** Composes any of the 8 types of message, and polls. Errors are shown in the server's own words. */
export function Composer({ replyToMsgId, onSent }: { replyToMsgId?: string; onSent: () => void }) {
  const t = useTexts();
  const { appId } = useApplication();
  const [type, setType] = useState<MessageType>('text');
  const [filled, setFilled] = useState<Record<string, string>>({});
  const send = useChange(
    appId,
    async (): Promise<unknown> => {
      const given = { params: { appId }, idempotencyKey: crypto.randomUUID() };
      if (type === 'poll')
        return callConsole('POST /applications/:appId/simulator/polls', { body: readPoll(filled), ...given });
      const body = { ...readMessage(type, filled), ...(replyToMsgId && { replyToMsgId }) };
      return callConsole('POST /applications/:appId/simulator/messages', { body, ...given });
    },
    {
      onSuccess: () => {
        setFilled({});
        onSent();
      },
    },
  );
  return (
    <Form onSubmit={() => send.mutate(undefined)}>
      <Stack gap="xs">
        {FIELDS[type].map(({ name, isRequired, isLong }) => {
          const Input = isLong ? Textarea : TextInput;
          return (
            <Input
              key={name}
              label={name === 'content' ? t('console.simulator.write') : t(`console.simulator.${name}`)}
              value={filled[name] ?? ''}
              onChange={({ currentTarget: { value } }) =>
                setFilled((before) => ({ ...before, [name]: value }))
              }
              required={isRequired ?? false}
              {...(isLong && { autosize: true, maxRows: 8 })}
            />
          );
        })}
        {FIELDS[type].some(({ name }) => name === 'fileUrl') && <FilesNotice />}
        <Group justify="space-between">
          <Select
            aria-label={t('console.simulator.type')}
            data={Object.keys(FIELDS)}
            value={type}
            onChange={(chosen) => {
              setType((chosen ?? 'text') as MessageType);
              setFilled({});
            }}
            allowDeselect={false}
            w={140}
          />
          <Button type="submit" loading={send.isPending}>
            {t('console.simulator.send')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
