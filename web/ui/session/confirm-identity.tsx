import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, onConfirmationNeeded } from '../api.ts';
import { commonTexts } from '../common-texts.ts';
import { Fault } from '../parts/faults.tsx';
import { useTexts } from '../texts.ts';
import { sessionTexts } from './texts.ts';

/**
 * Asks for the password whenever the server wants a recent sign-in, then lets the call that asked for it go on. One
 * stands in every application; whoever calls the server need not know of it.
 */
export function ConfirmIdentity() {
  const t = { ...useTexts(commonTexts), ...useTexts(sessionTexts) };
  const [waiting, setWaiting] = useState<((isConfirmed: boolean) => void)[]>([]);
  useEffect(
    () => onConfirmationNeeded(() => new Promise((resolve) => setWaiting((others) => [...others, resolve]))),
    [],
  );
  const end = (isConfirmed: boolean) => {
    for (const resolve of waiting) resolve(isConfirmed);
    setWaiting([]);
    confirm.reset();
  };
  const confirm = useMutation({
    mutationFn: (password: string) => api.post('/api/auth/confirm', { password }),
    onSuccess: () => end(true),
  });
  return (
    <Modal opened={waiting.length > 0} onClose={() => end(false)} title={t.confirmTitle} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          confirm.mutate(String(new FormData(event.currentTarget).get('password')));
        }}
      >
        <Stack>
          <Text size="sm">{t.confirmLead}</Text>
          {confirm.isError && <Fault error={confirm.error} />}
          <PasswordInput
            name="password"
            label={t.password}
            autoComplete="current-password"
            required
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => end(false)}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={confirm.isPending}>
              {t.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
