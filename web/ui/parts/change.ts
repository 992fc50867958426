import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { showError, tell } from './faults.tsx';

/** The message after a change, and what else to do with its result. */
export interface AfterChange<Output> {
  done?: string;
  onSuccess?: (output: Output) => void;
}

/** A mutation that reloads what may have changed with it, and reports the outcome. */
export function useChangeOf<Input, Output>(
  changed: readonly QueryKey[],
  change: (input: Input) => Promise<Output>,
  { done, onSuccess }: AfterChange<Output> = {},
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (output) => {
      if (done) tell(done);
      onSuccess?.(output);
      for (const queryKey of changed) await queries.invalidateQueries({ queryKey });
    },
    onError: showError,
  });
}
