import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Confirm } from '#contract/accounts/second-factors.ts';
import { callAuth, onConfirmationNeeded } from '../api.ts';
import { runs } from '../parts/change.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/faults.tsx';
import { CancelOr, Form } from '../parts/form.tsx';
import { useTexts } from '../texts.ts';
import { identitiesQuery, passkeysQuery, twoFactorQuery } from './means.ts';
import { answerByPasskey } from './passkey.ts';
import { ProviderButtons } from './providers.tsx';
import { useSession } from './session.ts';

/**
 * Asks for confirmation of identity when the server requires a recent sign-in, then lets the pending call continue. Rendered
 * once in every app; callers need not know about it.
 */
export function ConfirmIdentity() {
  const t = useTexts();
  const [waiting, setWaiting] = useState<((isConfirmed: boolean) => void)[]>([]);
  useEffect(
    () => onConfirmationNeeded(() => new Promise((resolve) => setWaiting((others) => [...others, resolve]))),
    [],
  );
  const end = (isConfirmed: boolean) => {
    for (const resolve of waiting) resolve(isConfirmed);
    setWaiting([]);
  };
  return (
    <Dialog opened={waiting.length > 0} onClose={() => end(false)} title={t('ui.session.confirmTitle')}>
      <Proof onEnd={end} />
    </Dialog>
  );
}

function Proof({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
  const t = useTexts();
  const session = useSession();
  const { data: means } = useQuery(identitiesQuery);
  const passkeys = useQuery(passkeysQuery);
  const twoFactor = useQuery(twoFactorQuery);
  // Everything is offered if it is not known.
  const hasPassword = means?.hasPassword !== false;
  const hasPasskey = passkeys.isError || (passkeys.data ?? []).length > 0;
  const hasCode = twoFactor.isError || twoFactor.data?.isOn || (twoFactor.data?.recoveryCodesLeft ?? 0) > 0;
  const hasChoice = hasPassword && hasCode;
  const [chosen, setKind] = useState<'password' | 'code'>('password');
  const kind = hasPassword ? chosen : 'code';
  const confirm = useMutation({
    mutationFn: (proof: Confirm) => callAuth('POST /confirm', { body: proof }),
    onSuccess: () => onEnd(true),
  });
  const byPasskey = useMutation({
    mutationFn: async () => confirm.mutateAsync({ passkey: await answerByPasskey('confirm') }),
  });
  const error = byPasskey.error ?? confirm.error;
  return (
    <Form
      onSubmit={(fields) => {
        byPasskey.reset();
        confirm.mutate({ [kind]: String(fields.get(kind)) });
      }}
    >
      <Text size="sm">{t('ui.session.confirmLead')}</Text>
      {error && <Fault error={error} />}
      {/* For password managers. */}
      <input type="text" hidden autoComplete="username" value={session.data?.email ?? ''} readOnly />
      {kind === 'password' ? (
        <PasswordInput
          name="password"
          label={t('ui.session.password')}
          autoComplete="current-password"
          required
          data-autofocus
        />
      ) : (
        <TextInput
          name="code"
          label={t('ui.session.code')}
          autoComplete="one-time-code"
          required
          autoFocus
          data-autofocus
        />
      )}
      {(hasPasskey || hasChoice) && (
        <Group gap="xs">
          {hasPasskey && (
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconFingerprint size={16} />}
              {...runs(byPasskey)}
            >
              {t('ui.session.byPasskey')}
            </Button>
          )}
          {hasChoice && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => setKind(kind === 'password' ? 'code' : 'password')}
            >
              {kind === 'password' ? t('ui.session.confirmByCode') : t('ui.session.confirmByPassword')}
            </Button>
          )}
        </Group>
      )}
      <ProviderButtons providers={means?.identities ?? []} purpose="confirm" />
      <CancelOr onCancel={() => onEnd(false)} loading={confirm.isPending}>
        {t('ui.session.confirm')}
      </CancelOr>
    </Form>
  );
}
