import { Button, PasswordInput, Stack } from '@mantine/core';
import type { Static } from 'typebox';
import type { ChangePassword } from '#contract/accounts.ts';
import { callAuth } from '../api.ts';
import { bodyOf, Form } from '../parts/form.tsx';
import { Section } from '../parts/screen.tsx';
import { useAccount } from '../session/session.ts';
import { useTexts } from '../texts.ts';
import { useAccountChange } from './queries.ts';

export function Password() {
  const t = useTexts();
  const { email } = useAccount();
  const change = useAccountChange(
    (form: HTMLFormElement) =>
      callAuth('POST /password', { body: bodyOf<Static<typeof ChangePassword>>(new FormData(form)) }).then(
        () => form.reset(),
      ),
    { done: t('ui.account.passwordChanged') },
  );
  return (
    <Section title={t('ui.account.password')}>
      <Form onSubmit={(_, form) => change.mutate(form)}>
        <Stack align="flex-start">
          {/* For password managers. */}
          <input type="text" hidden autoComplete="username" value={email} readOnly />
          <PasswordInput
            w="100%"
            name="currentPassword"
            label={t('ui.account.currentPassword')}
            autoComplete="current-password"
            required
          />
          <PasswordInput
            w="100%"
            name="newPassword"
            label={t('ui.account.newPassword')}
            description={t('ui.account.newPasswordHint')}
            autoComplete="new-password"
            minLength={8}
            required
          />
          <Button type="submit" variant="default" loading={change.isPending}>
            {t('ui.account.changePassword')}
          </Button>
        </Stack>
      </Form>
    </Section>
  );
}
