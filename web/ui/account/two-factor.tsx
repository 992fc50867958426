import { Badge, Button, Code, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TwoFactor } from '#contract/accounts/second-factors.ts';
import { callAuth } from '../api.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { CopyField } from '../parts/copy-field.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { Section } from '../parts/screen.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { useTexts } from '../texts.ts';
import { QrCode } from './qr-code.tsx';
import { twoFactorQuery, useAccountChange } from './queries.ts';
import { accountTexts } from './texts.ts';

/** Authenticator codes (TOTP), and recovery codes for when the authenticator is lost. */
export function TwoFactorSignIn() {
  const t = useTexts(accountTexts);
  const twoFactor = useQuery(twoFactorQuery);
  const [codes, setCodes] = useState<string[]>();
  return (
    <Section title={t.twoFactor} lead={t.twoFactorLead}>
      <QueryView query={twoFactor}>
        {(state) => (state.isOn ? <On state={state} onCodes={setCodes} /> : <Off onCodes={setCodes} />)}
      </QueryView>
      <FreshCodes codes={codes} onStored={() => setCodes(undefined)} />
    </Section>
  );
}

function On({ state, onCodes }: { state: TwoFactor; onCodes: (codes: string[]) => void }) {
  const t = useTexts(accountTexts);
  const end = useAccountChange(() => callAuth('DELETE /two-factor'), { done: t.turnedOff });
  const renew = useAccountChange(() => callAuth('POST /two-factor/recovery-codes'), {
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
  });
  return (
    <Group>
      <Badge color="teal" variant="dot" tt="none">
        {t.isOn}
      </Badge>
      <Text size="sm">{t.codesLeft(state.recoveryCodesLeft)}</Text>
      <ConfirmButton
        variant="default"
        color="parley"
        size="compact-sm"
        label={t.newCodes}
        title={t.newCodes}
        onConfirm={() => renew.mutate(undefined)}
      >
        {t.newCodesText}
      </ConfirmButton>
      <ConfirmButton
        variant="default"
        size="compact-sm"
        label={t.turnOff}
        title={t.twoFactor}
        onConfirm={() => end.mutate(undefined)}
      >
        {t.turnOffText}
      </ConfirmButton>
    </Group>
  );
}

function Off({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const t = useTexts(accountTexts);
  const enrol = useAccountChange(() => callAuth('POST /two-factor/enrol'));
  const confirm = useAccountChange(
    (code: string) => callAuth('POST /two-factor/confirm', { body: { code } }),
    {
      onSuccess: ({ recoveryCodes }) => {
        enrol.reset();
        onCodes(recoveryCodes);
      },
    },
  );
  return (
    <>
      <Group>
        <Badge color="gray" variant="dot" tt="none">
          {t.isOff}
        </Badge>
        <Button
          variant="default"
          size="compact-sm"
          loading={enrol.isPending}
          onClick={() => enrol.mutate(undefined)}
        >
          {t.turnOn}
        </Button>
      </Group>
      <Dialog opened={enrol.data !== undefined} onClose={enrol.reset} title={t.twoFactor} centered>
        {enrol.data && (
          <Form onSubmit={(fields) => confirm.mutate(String(fields.get('code')))}>
            <Stack>
              <Text size="sm">{t.scan}</Text>
              <QrCode value={enrol.data.uri} label={t.qrAlt} />
              <CopyField label={t.key} value={enrol.data.secret} />
              <TextInput
                name="code"
                label={t.code}
                autoComplete="one-time-code"
                inputMode="numeric"
                required
                data-autofocus
              />
              <Group justify="flex-end">
                <Button type="submit" loading={confirm.isPending}>
                  {t.turnOn}
                </Button>
              </Group>
            </Stack>
          </Form>
        )}
      </Dialog>
    </>
  );
}

function FreshCodes({ codes, onStored }: { codes: string[] | undefined; onStored: () => void }) {
  const t = useTexts(accountTexts);
  if (!codes) return null;
  return (
    <ShownOnce
      title={t.codesTitle}
      done={t.stored}
      leave={{ title: t.leaveCodesTitle, text: t.leaveCodesText }}
      onStored={onStored}
    >
      <Text size="sm">{t.codesLead}</Text>
      <SimpleGrid cols={2} spacing="xs">
        {codes.map((code) => (
          <Code key={code} ta="center">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <CopyField label={t.codesTitle} value={codes.join('\n')} isBlock />
    </ShownOnce>
  );
}
