import { Modal, type ModalProps } from '@mantine/core';
import { useBackCloses } from './use-back-closes.ts';

/** A dialog that the browser's "back" closes. */
export function Dialog(props: ModalProps) {
  useBackCloses(props.opened, props.onClose);
  return <Modal {...props} />;
}
