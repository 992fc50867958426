import { Badge, Button, Code, Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TwoFactor } from '#contract/accounts/second-factors.ts';
import { confirms, runs } from '../parts/change.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { CopyField } from '../parts/copy-field.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { Section } from '../parts/screen.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { twoFactorQuery } from '../session/means.ts';
import { useTexts } from '../texts.ts';
import { QrCode } from './qr-code.tsx';
import { useAccountChange } from './queries.ts';

/** Authenticator codes (TOTP), and recovery codes for when the authenticator is lost. */
export function TwoFactorSignIn() {
  const t = useTexts();
  const [codes, setCodes] = useState<string[]>();
  return (
    <Section title={t('ui.account.twoFactor')} lead={t('ui.account.twoFactorLead')}>
      <QueryView query={useQuery(twoFactorQuery)}>
        {(state) => (state.isOn ? <On state={state} onCodes={setCodes} /> : <Off onCodes={setCodes} />)}
      </QueryView>
      <FreshCodes codes={codes} onStored={() => setCodes(undefined)} />
    </Section>
  );
}

function On({ state, onCodes }: { state: TwoFactor; onCodes: (codes: string[]) => void }) {
  const t = useTexts();
  const end = useAccountChange('DELETE /two-factor', { done: t('ui.account.turnedOff') });
  const renew = useAccountChange('POST /two-factor/recovery-codes', {
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
  });
  return (
    <Group>
      <Badge color="teal" variant="dot">
        {t('ui.account.isOn')}
      </Badge>
      <Text size="sm">{t('ui.account.codesLeft', { count: state.recoveryCodesLeft })}</Text>
      <ConfirmButton
        color="parley"
        size="compact-sm"
        label={t('ui.account.newCodes')}
        text={t('ui.account.newCodesText')}
        {...confirms(renew)}
      />
      <ConfirmButton
        size="compact-sm"
        label={t('ui.account.turnOff')}
        title={t('ui.account.twoFactor')}
        text={t('ui.account.turnOffText')}
        {...confirms(end)}
      />
    </Group>
  );
}

function Off({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const t = useTexts();
  const enrol = useAccountChange('POST /two-factor/enrol');
  const confirm = useAccountChange('POST /two-factor/confirm', {
    onSuccess: ({ recoveryCodes }) => {
      enrol.reset();
      onCodes(recoveryCodes);
    },
  });
  return (
    <>
      <Group>
        <Badge color="gray" variant="dot">
          {t('ui.account.isOff')}
        </Badge>
        <Button variant="default" size="compact-sm" {...runs(enrol)}>
          {t('ui.account.turnOn')}
        </Button>
      </Group>
      <FormDialog
        opened={enrol.data !== undefined}
        onClose={enrol.reset}
        title={t('ui.account.twoFactor')}
        submit={t('ui.account.turnOn')}
        loading={confirm.isPending}
        onSubmit={(fields) => confirm.mutate({ body: { code: String(fields.get('code')) } })}
      >
        {enrol.data && (
          <>
            <Text size="sm">{t('ui.account.scan')}</Text>
            <QrCode value={enrol.data.uri} label={t('ui.account.qrAlt')} />
            <CopyField label={t('ui.account.key')} value={enrol.data.secret} />
          </>
        )}
        <TextInput
          name="code"
          label={t('ui.account.code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          data-autofocus
        />
      </FormDialog>
    </>
  );
}

function FreshCodes({ codes, onStored }: { codes: string[] | undefined; onStored: () => void }) {
  const t = useTexts();
  if (!codes) return null;
  return (
    <ShownOnce
      title={t('ui.account.codesTitle')}
      done={t('ui.account.stored')}
      leave={{ title: t('ui.account.leaveCodesTitle'), text: t('ui.account.leaveCodesText') }}
      onStored={onStored}
    >
      <Text size="sm">{t('ui.account.codesLead')}</Text>
      <SimpleGrid cols={2} spacing="xs">
        {codes.map((code) => (
          <Code key={code} ta="center">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <CopyField label={t('ui.account.codesTitle')} value={codes.join('\n')} isBlock />
    </ShownOnce>
  );
}
