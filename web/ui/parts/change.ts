import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { startTransition, useOptimistic, useRef } from 'react';
import {
  type AnswerOf,
  type AnyTable,
  ApiError,
  type Caller,
  type Given,
  type InputOf,
  type KeyOf,
} from '../api.ts';
import { showError, tell } from './faults.tsx';

/** The message after a change, and what else to do with its result. */
export interface AfterChange<Output> {
  done?: string;
  onSuccess?: (output: Output) => void | Promise<void>;
  /** If it is not shown as a notification. */
  onError?: (error: unknown) => void;
}

/** A mutation that reloads what may have changed with it, and reports the outcome. */
export function useChangeOf<Input, Output>(
  changed: readonly QueryKey[] | ((input: Input) => readonly QueryKey[]),
  change: (input: Input) => Promise<Output>,
  { done, onSuccess, onError = showError }: AfterChange<Output> = {},
) {
  const queries = useQueryClient();
  const reload = async (input: Input) => {
    const keys = typeof changed === 'function' ? changed(input) : changed;
    for (const queryKey of keys) await queries.invalidateQueries({ queryKey });
  };
  return useMutation({
    mutationFn: change,
    onSuccess: async (output, input) => {
      if (done) tell(done);
      await onSuccess?.(output);
      await reload(input);
    },
    onError: (error, input) => {
      onError(error);
      // Somebody else may have changed it meanwhile.
      if (error instanceof ApiError && !error.isTemporary) void reload(input);
    },
  });
}

/** A change after which nothing is to be reloaded: it concerns this page alone, or arrives as an event. */
export function useAction<Input, Output>(
  act: (input: Input) => Promise<Output>,
  after?: AfterChange<Output>,
) {
  return useChangeOf([], act, after);
}

type Changing<Input> = Pick<UseMutationResult<unknown, unknown, Input>, 'isPending' | 'mutate'>;
type Of<Input> = undefined extends Input ? [input?: Input] : [input: Input];

/** Of a button: it makes a change, and shows that it is under way. */
export function runs<Input>({ isPending, mutate }: Changing<Input>, ...[input]: Of<Input>) {
  return { loading: isPending, onClick: () => mutate(input as Input) };
}

/** Of a `ConfirmButton`: the same, once it is confirmed. */
export function confirms<Input>({ isPending, mutate }: Changing<Input>, ...[input]: Of<Input>) {
  return { loading: isPending, onConfirm: () => mutate(input as Input) };
}

/**
 * Settings, and how some of them are changed: what was chosen is shown at once, and no longer when the change has ended, so the
 * old value is shown again if the server refuses. One change is sent after the other, so that the last choice stays.
 */
export function useSettings<Settings extends object>(
  settings: Settings,
  change: (chosen: Partial<Settings>) => Promise<unknown>,
) {
  const [shown, show] = useOptimistic(settings, (before, chosen: Partial<Settings>) => ({
    ...before,
    ...chosen,
  }));
  const earlier = useRef<Promise<unknown>>(Promise.resolve());
  const choose = (chosen: Partial<Settings>) =>
    startTransition(async () => {
      show(chosen);
      // The change reports its errors.
      earlier.current = earlier.current.then(() => change(chosen)).catch(() => undefined);
      await earlier.current;
    });
  return [shown, choose] as const;
}

/**
 * The hook for changes by the endpoints of a table:
 * `const add = useChange('POST /applications'); add.mutate({ body: { name } })`.
 *
 * @param changed the keys of the queries that a change may concern, by the parameters of its path
 */
export function changeBy<Table extends AnyTable>(
  call: Caller<Table>,
  changed: (params: Readonly<Record<string, string>>) => readonly QueryKey[],
) {
  return <Key extends KeyOf<Table>>(key: Key, after?: AfterChange<AnswerOf<Table, Key>>) =>
    useChangeOf<Given<InputOf<Table, Key>>[0], AnswerOf<Table, Key>>(
      (input) => changed(paramsOf(input)),
      (input) => call(key, input as InputOf<Table, Key>),
      after,
    );
}

export function paramsOf(input: unknown): Readonly<Record<string, string>> {
  return (input as { params?: Readonly<Record<string, string>> } | undefined)?.params ?? {};
}
