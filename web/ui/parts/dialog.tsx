import { Box, type ButtonProps, Modal, type ModalProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ComponentProps, type ReactNode, useEffect, useId, useState } from 'react';
import { dialogs, Fault } from './faults.tsx';
import { CancelOr, Form } from './form.tsx';
import { useBackCloses } from './use-back-closes.ts';
import { useReturnsFocus } from './use-returns-focus.ts';

/** A dialog that the browser's "back" closes, that returns the focus, and that shows what is refused above its footer. */
export function Dialog({ children, footer, ...modal }: ModalProps & { footer?: ReactNode }) {
  const { opened, onClose } = modal;
  useBackCloses(opened, onClose);
  useReturnsFocus(opened);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (!opened) return;
    setError(undefined);
    // They could cover its buttons.
    notifications.clean();
    dialogs.push(setError);
    return () => void dialogs.splice(dialogs.lastIndexOf(setError), 1);
  }, [opened]);
  return (
    <Modal {...modal} onSubmit={() => setError(undefined)}>
      {children}
      {error !== undefined && (
        <Box mt="md" ref={(shown) => shown?.scrollIntoView({ block: 'nearest' })}>
          <Fault error={error} />
        </Box>
      )}
      {footer}
    </Modal>
  );
}

/** A dialog with a form, and below its fields the buttons that cancel or submit it. */
export function FormDialog({
  opened = true,
  title,
  size = 'md',
  onClose,
  onSubmit,
  submit,
  children,
  ...button
}: Pick<ComponentProps<typeof Form>, 'onSubmit'> &
  Pick<ButtonProps, 'color' | 'variant' | 'loading' | 'disabled'> & {
    opened?: boolean;
    title: string;
    size?: 'md' | 'lg';
    onClose: () => void;
    /** The label of the button. */
    submit: string;
    children: ReactNode;
  }) {
  const form = useId();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={title}
      size={size}
      footer={
        <Box mt="md">
          <CancelOr onCancel={onClose} form={form} {...button}>
            {submit}
          </CancelOr>
        </Box>
      }
    >
      <Form id={form} onSubmit={onSubmit}>
        {children}
      </Form>
    </Dialog>
  );
}
