import { type ButtonProps, Modal, type ModalProps, Stack } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { CancelOr, Form } from './form.tsx';
import { useBackCloses } from './use-back-closes.ts';
import { useReturnsFocus } from './use-returns-focus.ts';

/** A dialog that the browser's "back" closes, and that returns the focus. */
export function Dialog(props: ModalProps) {
  useBackCloses(props.opened, props.onClose);
  useReturnsFocus(props.opened);
  return <Modal {...props} />;
}

/** A dialog with a form, and below its fields the buttons that cancel or submit it. */
export function FormDialog({
  opened = true,
  title,
  onClose,
  onSubmit,
  submit,
  children,
  ...button
}: Pick<ComponentProps<typeof Form>, 'onSubmit'> &
  Pick<ButtonProps, 'color' | 'variant' | 'loading' | 'disabled'> & {
    opened?: boolean;
    title: string;
    onClose: () => void;
    /** The label of the button. */
    submit: string;
    children: ReactNode;
  }) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title} centered>
      <Form onSubmit={onSubmit}>
        <Stack>
          {children}
          <CancelOr onCancel={onClose} {...button}>
            {submit}
          </CancelOr>
        </Stack>
      </Form>
    </Dialog>
  );
}
