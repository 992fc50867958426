import { Button, PasswordInput, Stack } from '@mantine/core';
import type { Static } from 'typebox';
import type { ChangePassword } from '#contract/accounts.ts';
import { callAuth } from '../api.ts';
import { bodyOf, Form } from '../parts/form.tsx';
import { Section } from '../parts/screen.tsx';
import { useAccount } from '../session/session.ts';
import { useTexts } from '../texts.ts';
import { useAccountChange } from './queries.ts';
import { accountTexts } from './texts.ts';

export function Password() {
  const t = useTexts(accountTexts);
  const { email } = useAccount();
  const change = useAccountChange(
    (form: HTMLFormElement) =>
      callAuth('POST /password', { body: bodyOf<Static<typeof ChangePassword>>(new FormData(form)) }).then(
        () => form.reset(),
      ),
    { done: t.passwordChanged },
  );
  return (
    <Section title={t.password}>
      <Form onSubmit={(_, form) => change.mutate(form)}>
        <Stack align="flex-start">
          {/* For password managers. */}
          <input type="text" hidden autoComplete="username" value={email} readOnly />
          <PasswordInput
            w="100%"
            name="currentPassword"
            label={t.currentPassword}
            autoComplete="current-password"
            required
          />
          <PasswordInput
            w="100%"
            name="newPassword"
            label={t.newPassword}
            description={t.newPasswordHint}
            autoComplete="new-password"
            minLength={8}
            required
          />
          <Button type="submit" variant="default" loading={change.isPending}>
            {t.changePassword}
          </Button>
        </Stack>
      </Form>
    </Section>
  );
}
