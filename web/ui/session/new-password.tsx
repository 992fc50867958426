import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { callAuth } from '../api.ts';
import { Fault } from '../parts/faults.tsx';
import { Form, Submit } from '../parts/form.tsx';
import { language, useTexts } from '../texts.ts';
import { StepHead } from './step-head.tsx';

/** Requests a mail with a password reset link. */
export function ForgottenPassword({ onBack }: { onBack: () => void }) {
  const t = useTexts();
  const ask = useMutation({
    mutationFn: (email: string) =>
      callAuth('POST /password/forgotten', { body: { email, language: language() } }),
  });
  return (
    <Form onSubmit={(fields) => ask.mutate(String(fields.get('email')))}>
      <StepHead title={t('ui.session.forgottenTitle')} lead={t('ui.session.forgottenLead')} />
      {ask.isError && <Fault error={ask.error} />}
      {ask.data && (
        <Alert color={ask.data.isMailed ? 'teal' : 'yellow'}>
          {ask.data.isMailed ? t('ui.session.forgottenSent') : t('ui.session.forgottenNoMail')}
        </Alert>
      )}
      <TextInput
        name="email"
        type="email"
        label={t('ui.session.email')}
        autoComplete="username"
        required
        autoFocus
      />
      <Submit of={ask}>{t('ui.session.forgottenSend')}</Submit>
      <Button variant="subtle" onClick={onBack}>
        {t('ui.session.back')}
      </Button>
    </Form>
  );
}

/** The target of the reset link. Continuing reloads the page, to remove the token from the URL. */
export function NewPassword({ ticket }: { ticket: string }) {
  const t = useTexts();
  const reset = useMutation({
    mutationFn: (newPassword: string) => callAuth('POST /password/reset', { body: { ticket, newPassword } }),
  });
  const resume = () => location.replace('/');
  if (reset.isSuccess) {
    return (
      <Stack>
        <StepHead title={t('ui.session.forgottenTitle')} lead={t('ui.session.resetDone')} />
        <Button onClick={resume}>{t('ui.session.signIn')}</Button>
      </Stack>
    );
  }
  return (
    <Form onSubmit={(fields) => reset.mutate(String(fields.get('newPassword')))}>
      <StepHead title={t('ui.session.forgottenTitle')} lead={t('ui.session.resetLead')} />
      {reset.isError && <Fault error={reset.error} />}
      <PasswordInput
        name="newPassword"
        label={t('ui.session.newPassword')}
        description={t('ui.session.newPasswordHint')}
        autoComplete="new-password"
        required
        minLength={8}
        autoFocus
      />
      <Submit of={reset}>{t('ui.session.setPassword')}</Submit>
      <Button variant="subtle" onClick={resume}>
        {t('ui.session.back')}
      </Button>
    </Form>
  );
}
