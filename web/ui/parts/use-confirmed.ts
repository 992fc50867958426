import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { callAuth } from '../api.ts';
import { showError } from './faults.tsx';
import { historySettled } from './use-back-closes.ts';

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
