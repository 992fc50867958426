import { Button, type ButtonProps, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { callAuth } from '../api.ts';
import { useAction } from './change.ts';
import { FormDialog } from './dialog.tsx';
import { historySettled } from './use-back-closes.ts';

/** A button for an action with consequences: it states them and asks for confirmation, optionally by typing a word or with more fields. */
export function ConfirmButton({
  label,
  title = label,
  text,
  typed,
  fields,
  needsRecentSignIn = false,
  variant = 'default',
  onConfirm,
  ...button
}: ButtonProps & {
  label: string;
  title?: string;
  /** The consequence, shown before confirmation. */
  text: ReactNode;
  /** Requires typing `word`; `label` asks for it. */
  typed?: { label: string; word: string };
  /** Further fields for `onConfirm`, which closes the dialog once they are accepted: a refusal leaves them as they are. */
  fields?: ReactNode;
  /** Identity is confirmed before the dialog opens, not after it is filled in. */
  needsRecentSignIn?: boolean;
  onConfirm: (fields: FormData) => void;
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const opening = useAction(
    async () => {
      if (needsRecentSignIn) await callAuth('GET /recent-sign-in');
      await historySettled();
    },
    { onSuccess: open },
  );
  const [word, setWord] = useState('');
  const end = () => {
    close();
    setWord('');
  };
  return (
    <>
      <Button
        variant={variant}
        {...button}
        // With fields, the dialog shows it, and leaves the focus here.
        loading={opening.isPending || (button.loading === true && !fields)}
        onClick={() => opening.mutate(undefined)}
      >
        {label}
      </Button>
      <FormDialog
        opened={isOpen}
        onClose={end}
        title={title}
        submit={label}
        color={button.color ?? 'red'}
        loading={button.loading === true}
        disabled={typed !== undefined && word !== typed.word}
        onSubmit={(given) => {
          if (fields) return onConfirm(given);
          flushSync(end);
          // It may navigate to another page.
          void historySettled().then(() => onConfirm(given));
        }}
      >
        <Text size="sm" component="div">
          {text}
        </Text>
        {typed && (
          <TextInput
            label={typed.label}
            value={word}
            onChange={(event) => setWord(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {fields}
      </FormDialog>
    </>
  );
}
