import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { OperatedPerson } from '#contract/operate/people.ts';
import { callOperate } from '../../ui/api.ts';
import { useChangeOf } from '../../ui/parts/change.ts';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';

/** Account recovery after losing the password or the second factor. */
export function LockedOut({ person: { accountId, isTwoFactorOn } }: { person: OperatedPerson }) {
  const t = useTexts();
  return (
    <Section title={t('operate.people.help')} lead={t('operate.people.helpText')}>
      <Once
        name={t('operate.people.link')}
        make={async () =>
          (await callOperate('POST /people/:accountId/password-link', { params: { accountId } })).link
        }
      >
        {t('operate.people.linkText')}
      </Once>
      {isTwoFactorOn && (
        <Once
          name={t('operate.people.recoveryCode')}
          make={async () =>
            (await callOperate('POST /people/:accountId/recovery-code', { params: { accountId } }))
              .recoveryCode
          }
        >
          {t('operate.people.recoveryText')}
        </Once>
      )}
    </Section>
  );
}

function Once({ name, make, children }: { name: string; make: () => Promise<string>; children: ReactNode }) {
  const t = useTexts();
  const [made, setMade] = useState<string>();
  const change = useChangeOf([['operate', 'acts']], make, { onSuccess: setMade });
  const close = () => setMade(undefined);
  return (
    <Group justify="space-between">
      <div>
        <Text>{name}</Text>
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </div>
      <Button
        variant="default"
        aria-label={`${t('operate.people.make')}: ${name}`}
        loading={change.isPending}
        onClick={() => change.mutate(undefined)}
      >
        {t('operate.people.make')}
      </Button>
      <Dialog
        opened={made !== undefined}
        onClose={close}
        title={name}
        closeOnClickOutside={false}
        size="lg"
        centered
      >
        <Stack>
          <CopyField label={name} value={made ?? ''} hint={t('operate.people.helpText')} />
          <Group justify="flex-end">
            <Button onClick={close}>{t('ui.common.close')}</Button>
          </Group>
        </Stack>
      </Dialog>
    </Group>
  );
}
