import { ActionIcon, Button, Fieldset, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { callChat } from '../../ui/api.ts';
import { useDraftKey } from '../../ui/draft-key.ts';
import { useAction } from '../../ui/parts/change.ts';
import { FormDialog } from '../../ui/parts/dialog.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { codePoints, LengthHint } from '../../ui/parts/length-hint.tsx';
import { useTexts } from '../../ui/texts.ts';

/** Creates a poll in a conversation. */
export default function CreatePoll({
  conversation: { group, peer },
  onClose,
}: {
  conversation: Conversation;
  onClose: () => void;
}) {
  const t = useTexts();
  const keyOf = useDraftKey();
  const [question, setQuestion] = useState('');
  const [options, setOptions] = useState(['', '']);
  const given = options.filter((option) => option.trim() !== '');
  const hasEqual = new Set(given).size < given.length;
  const create = useAction(
    (fields: FormData) => {
      const address = group ? { groupId: group.groupId } : { receiverId: peer?.userId ?? null };
      const choices = { allowMultipleAnswers: fields.has('several'), isAnonymous: fields.has('anonymous') };
      const body = { ...address, question, options: given, ...choices };
      return callChat('POST /polls', { body, idempotencyKey: keyOf(body) });
    },
    { onSuccess: onClose },
  );
  const isReady =
    question.trim() !== '' &&
    codePoints(question) <= LIMITS.pollQuestionLength &&
    given.length >= LIMITS.pollOptionsMin &&
    given.every((option) => codePoints(option) <= LIMITS.pollOptionLength) &&
    !hasEqual;
  return (
    <FormDialog
      title={t('chat.createPoll.title')}
      submit={t('chat.createPoll.create')}
      loading={create.isPending}
      disabled={!isReady}
      onSubmit={(fields) => create.mutate(fields)}
      onClose={onClose}
    >
      <Textarea
        label={t('chat.createPoll.question')}
        description={<LengthHint text={question} limit={LIMITS.pollQuestionLength} />}
        value={question}
        onChange={(event) => setQuestion(event.currentTarget.value)}
        minRows={1}
        maxRows={4}
        required
        data-autofocus
      />
      <Options options={options} onChange={setOptions} />
      {hasEqual && (
        <Text size="sm" c="red" role="alert">
          {t('chat.createPoll.equalOptions')}
        </Text>
      )}
      <Switch name="several" label={t('chat.createPoll.multiple')} />
      <Switch
        name="anonymous"
        label={t('chat.createPoll.anonymous')}
        description={t('chat.createPoll.anonymousHint')}
      />
    </FormDialog>
  );
}

function Options({ options, onChange }: { options: string[]; onChange: (options: string[]) => void }) {
  const t = useTexts();
  const isFull = options.length >= LIMITS.pollOptionsMax;
  return (
    <Fieldset
      variant="unstyled"
      mx={0}
      legend={
        <Text component="span" size="sm" fw={600}>
          {t('chat.createPoll.options')}
        </Text>
      }
    >
      <Stack gap="xs">
        {options.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an answer is identified only by its position.
          <Group key={index} gap={4} wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={t('chat.createPoll.option', { number: index + 1 })}
              placeholder={t('chat.createPoll.option', { number: index + 1 })}
              value={option}
              maxLength={2 * LIMITS.pollOptionLength}
              autoFocus={index >= LIMITS.pollOptionsMin}
              error={codePoints(option) > LIMITS.pollOptionLength}
              onChange={(event) => onChange(options.with(index, event.currentTarget.value))}
            />
            {options.length > LIMITS.pollOptionsMin && (
              <ActionIcon
                aria-label={t('chat.createPoll.removeOption', { number: index + 1 })}
                onClick={() => onChange(options.toSpliced(index, 1))}
              >
                <IconX size={16} />
              </ActionIcon>
            )}
          </Group>
        ))}
        {isFull ? (
          <Dimmed size="xs">{t('chat.createPoll.mostOptions', { most: LIMITS.pollOptionsMax })}</Dimmed>
        ) : (
          <Button
            variant="subtle"
            size="compact-sm"
            w="fit-content"
            leftSection={<IconPlus size={16} />}
            onClick={() => onChange([...options, ''])}
          >
            {t('chat.createPoll.addOption')}
          </Button>
        )}
      </Stack>
    </Fieldset>
  );
}
