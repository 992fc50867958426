import { Button, type ButtonProps, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { callAuth } from '../api.ts';
import { FormDialog } from './dialog.tsx';
import { showError } from './faults.tsx';
import { historySettled } from './use-back-closes.ts';

/** A button for an irreversible action: it states the consequence and asks for confirmation, optionally by typing a word. */
export function ConfirmButton({
  label,
  title = label,
  children,
  typed,
  needsRecentSignIn = false,
  onConfirm,
  ...button
}: ButtonProps & {
  label: string;
  title?: string;
  /** The consequence, shown before confirmation. */
  children: ReactNode;
  /** Requires typing `word`; `label` asks for it. */
  typed?: { label: string; word: string };
  /** Identity is confirmed before the dialog opens. */
  needsRecentSignIn?: boolean;
  onConfirm: () => void;
}) {
  const { isOpen, open, close, isOpening } = useConfirmedDisclosure(needsRecentSignIn);
  const [word, setWord] = useState('');
  const end = () => {
    close();
    setWord('');
  };
  return (
    <>
      <Button {...button} loading={isOpening || button.loading === true} onClick={open}>
        {label}
      </Button>
      <FormDialog
        opened={isOpen}
        onClose={end}
        title={title}
        submit={label}
        color={button.color ?? 'red'}
        disabled={typed !== undefined && word !== typed.word}
        onSubmit={() => {
          flushSync(end);
          // It may navigate to another page.
          void historySettled().then(onConfirm);
        }}
      >
        <Text size="sm" component="div">
          {children}
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
      </FormDialog>
    </>
  );
}

/** A dialog for what requires a recent sign-in: identity is confirmed before the dialog opens, not after it is filled in. */
export function useConfirmedDisclosure(isNeeded = true) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const confirm = useMutation({
    mutationFn: async () => {
      if (isNeeded) await callAuth('GET /recent-sign-in');
      await historySettled();
    },
    onSuccess: open,
    onError: showError,
  });
  return { isOpen, open: () => confirm.mutate(), close, isOpening: confirm.isPending };
}
