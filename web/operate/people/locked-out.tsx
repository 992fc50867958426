import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { OperatedPerson } from '#contract/operate/people.ts';
import { callOperate } from '../../ui/api.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { useChangeOf } from '../../ui/parts/change.ts';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { peopleTexts } from './texts.ts';

/** Account recovery after losing the password or the second factor. */
export function LockedOut({ person: { accountId, isTwoFactorOn } }: { person: OperatedPerson }) {
  const t = useTexts(peopleTexts);
  return (
    <Section title={t.help} lead={t.helpText}>
      <Once
        name={t.link}
        make={async () =>
          (await callOperate('POST /people/:accountId/password-link', { params: { accountId } })).link
        }
      >
        {t.linkText}
      </Once>
      {isTwoFactorOn && (
        <Once
          name={t.recoveryCode}
          make={async () =>
            (await callOperate('POST /people/:accountId/recovery-code', { params: { accountId } }))
              .recoveryCode
          }
        >
          {t.recoveryText}
        </Once>
      )}
    </Section>
  );
}

function Once({ name, make, children }: { name: string; make: () => Promise<string>; children: ReactNode }) {
  const t = { ...useTexts(commonTexts), ...useTexts(peopleTexts) };
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
        aria-label={`${t.make}: ${name}`}
        loading={change.isPending}
        onClick={() => change.mutate(undefined)}
      >
        {t.make}
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
          <CopyField label={name} value={made ?? ''} hint={t.helpText} />
          <Group justify="flex-end">
            <Button onClick={close}>{t.close}</Button>
          </Group>
        </Stack>
      </Dialog>
    </Group>
  );
}
