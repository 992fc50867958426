import { ActionIcon, Alert, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { IconMessageChatbot, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Static } from 'typebox';
import type { Simulator, SimulatorMessage, SimulatorPoll } from '#contract/applications/simulator.ts';
import type { ChatMessage } from '#contract/chat.ts';
import type { ContentType } from '#contract/messages.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { Form, Submit } from '../../ui/parts/form.tsx';
import { uniqueId } from '../../ui/secure-context.ts';
import { useTexts } from '../../ui/texts.ts';
import { useChange } from '../application/queries.ts';
import { FilesNotice } from '../events/webhook-help.tsx';
import { Bubble, excerpt, sideOf } from './bubble.tsx';
import classes from './chat-pane.module.css';

interface Field {
  name:
    | 'content'
    | 'fileUrl'
    | 'thumbnailUrl'
    | 'caption'
    | 'latitude'
    | 'longitude'
    | 'question'
    | 'options';
  isRequired?: boolean;
  isLong?: boolean;
}

const file: Field = { name: 'fileUrl', isRequired: true };
const caption: Field = { name: 'caption' };

/** The fields of each message type (contract §2, Message content). */
const FIELDS = {
  text: [{ name: 'content', isRequired: true }],
  image: [file, caption],
  video: [file, { name: 'thumbnailUrl', isRequired: true }, caption],
  audio: [file],
  doc: [file, caption],
  gif: [file],
  sticker: [file],
  location: [
    { name: 'latitude', isRequired: true },
    { name: 'longitude', isRequired: true },
  ],
  poll: [
    { name: 'question', isRequired: true },
    { name: 'options', isRequired: true, isLong: true },
  ],
} satisfies Record<string, Field[]> as Record<MessageType, Field[]>;

type MessageType = 'text' | 'image' | 'video' | 'audio' | 'doc' | 'gif' | 'sticker' | 'location' | 'poll';

/** The request body: for a poll its question and options, for other types their content. */
function readPoll(filled: Record<string, string>): Static<typeof SimulatorPoll> {
  const options = (filled['options'] ?? '').split('\n').map((option) => option.trim());
  return { question: filled['question'] ?? '', options: options.filter((option) => option !== '') };
}

/** The server refuses what is missing, in its own words. */
function readMessage(type: ContentType, filled: Record<string, string>): Static<typeof SimulatorMessage> {
  if (type === 'location') {
    return {
      type,
      location: { latitude: Number(filled['latitude']), longitude: Number(filled['longitude']) },
    };
  }
  const given = Object.entries(filled).filter(([, value]) => value !== '');
  return { type, ...Object.fromEntries(given) } as Static<typeof SimulatorMessage>;
}

/** The conversation, oldest first, and the composer; `messages` are newest first. */
export function ChatPane({ simulator, messages }: { simulator: Simulator; messages: ChatMessage[] }) {
  const t = useTexts();
  const [quoted, setQuoted] = useState<ChatMessage>();
  const list = useRef<HTMLDivElement>(null);
  const newest = messages[0]?.msgId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message must be scrolled into view.
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [newest]);
  return (
    <Stack gap="sm">
      <div
        ref={list}
        className={classes.messages}
        style={{ height: 'min(56vh, 480px)' }}
        role="log"
        aria-label={t('console.simulator.chat')}
      >
        {messages.length === 0 && (
          <Empty icon={<IconMessageChatbot />} title={t('console.simulator.nothing')}>
            {t('console.simulator.nothingText')}
          </Empty>
        )}
        {messages.toReversed().map((message) => (
          <Bubble
            key={message.msgId}
            message={message}
            {...sideOf(simulator, message)}
            quoted={messages.find(({ msgId }) => msgId === message.replyToMsgId)}
            onQuote={() => setQuoted(message)}
          />
        ))}
      </div>
      {simulator.isBlocked && (
        <Alert color="yellow" p="xs">
          {t('console.simulator.blocked')}
        </Alert>
      )}
      {quoted && (
        <Group justify="space-between" wrap="nowrap">
          <Dimmed truncate>
            {t('console.simulator.quoting')}: {excerpt(quoted)}
          </Dimmed>
          <ActionIcon aria-label={t('console.simulator.stopQuoting')} onClick={() => setQuoted(undefined)}>
            <IconX size={16} />
          </ActionIcon>
        </Group>
      )}
      <Composer {...(quoted && { replyToMsgId: quoted.msgId })} onSent={() => setQuoted(undefined)} />
    </Stack>
  );
}

/** Composes any of the 8 types of message, and polls. Errors are shown in the server's own words. */
function Composer({ replyToMsgId, onSent }: { replyToMsgId?: string; onSent: () => void }) {
  const t = useTexts();
  const [type, setType] = useState<MessageType>('text');
  const [filled, setFilled] = useState<Record<string, string>>({});
  const onSuccess = () => {
    setFilled({});
    onSent();
  };
  const sendMessage = useChange('POST /applications/:appId/simulator/messages', { onSuccess });
  const sendPoll = useChange('POST /applications/:appId/simulator/polls', { onSuccess });
  const submit = () => {
    const idempotencyKey = uniqueId();
    if (type === 'poll') return sendPoll.mutate({ body: readPoll(filled), idempotencyKey });
    const body = { ...readMessage(type, filled), ...(replyToMsgId && { replyToMsgId }) };
    sendMessage.mutate({ body, idempotencyKey });
  };
  return (
    <Form onSubmit={submit} gap="xs">
      {FIELDS[type].map(({ name, isRequired, isLong }) => {
        const Input = isLong ? Textarea : TextInput;
        return (
          <Input
            key={name}
            label={name === 'content' ? t('console.simulator.write') : t(`console.simulator.${name}`)}
            value={filled[name] ?? ''}
            onChange={({ currentTarget: { value } }) => setFilled((before) => ({ ...before, [name]: value }))}
            required={isRequired ?? false}
            {...(isLong && { maxRows: 8 })}
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
          w={140}
        />
        <Submit of={type === 'poll' ? sendPoll : sendMessage}>{t('console.simulator.send')}</Submit>
      </Group>
    </Form>
  );
}
