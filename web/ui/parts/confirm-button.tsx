import { Button, type ButtonProps, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { Dialog } from './dialog.tsx';
import { CancelOr, Form } from './form.tsx';
import { historySettled } from './use-back-closes.ts';
import { useConfirmedDisclosure } from './use-confirmed.ts';

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
      <Dialog opened={isOpen} onClose={end} title={title} centered>
        <Form
          onSubmit={() => {
            flushSync(end);
            // It may navigate to another page.
            void historySettled().then(onConfirm);
          }}
        >
          <Stack>
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
            <CancelOr
              onCancel={end}
              color={button.color ?? 'red'}
              disabled={typed !== undefined && word !== typed.word}
            >
              {label}
            </CancelOr>
          </Stack>
        </Form>
      </Dialog>
    </>
  );
}
