import { Button, type ButtonProps, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { commonTexts } from '../common-texts.ts';
import { useTexts } from '../texts.ts';

/** A button for what cannot be undone: it says what will happen and asks once more, if need be for a typed word. */
export function ConfirmButton({
  label,
  title,
  children,
  typed,
  onConfirm,
  ...button
}: ButtonProps & {
  label: string;
  title: string;
  /** The consequence, told before confirmation. */
  children: ReactNode;
  /** Asks to type `word`; `label` says so. */
  typed?: { label: string; word: string };
  onConfirm: () => void;
}) {
  const t = useTexts(commonTexts);
  const [isOpen, { open, close }] = useDisclosure(false);
  const [word, setWord] = useState('');
  const end = () => {
    close();
    setWord('');
  };
  return (
    <>
      <Button {...button} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={end} title={title} centered>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            end();
            onConfirm();
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
            <Group justify="flex-end">
              <Button variant="default" onClick={end}>
                {t.cancel}
              </Button>
              <Button
                type="submit"
                color={button.color ?? 'red'}
                disabled={typed !== undefined && word !== typed.word}
              >
                {label}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
