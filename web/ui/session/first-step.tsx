import { Anchor, Button, Divider, PasswordInput, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Static } from 'typebox';
import type { SignedIn, SignIn, SignUp } from '#contract/accounts.ts';
import { ApiError, callAuth } from '../api.ts';
import { describeError, Fault } from '../parts/faults.tsx';
import { bodyOf, Form, Submit } from '../parts/form.tsx';
import { language, useTexts } from '../texts.ts';
import { answerByPasskey } from './passkey.ts';
import { SignUpGate } from './sign-up-rules.tsx';
import { StepHead } from './step-head.tsx';

export type Mode = 'sign-in' | 'sign-up' | 'forgotten' | 'reset';
/** The answer to a step: the session, or the next thing that is needed. */
export type Step = Partial<
  Static<typeof SignedIn> & { secondFactor: { ticket: string }; emailConfirmation: { email: string } }
>;

/** The field of these forms that an error is about, if any. */
function findFaultyField(error: Error | null): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const field = error.reason === 'account.email-taken' ? 'email' : error.values?.['field'];
  return ['name', 'email', 'password'].find((name) => name === field);
}

/** Sign-in or sign-up by a password, a passkey or a provider. */
export function FirstStep({
  mode,
  email,
  lead,
  takesPasswords,
  providers,
  onStep,
  onForgotten,
}: {
  mode: Mode;
  email: string | undefined;
  /** Instead of the usual one. */
  lead: string | undefined;
  takesPasswords: boolean;
  /** The buttons of the providers. */
  providers: ReactNode;
  onStep: (step: Step) => void;
  onForgotten: () => void;
}) {
  const t = useTexts();
  const isNew = mode === 'sign-up';
  const title = isNew ? t('ui.session.signUp') : t('ui.session.signIn');
  const enter = useMutation({
    mutationFn: (fields: FormData): Promise<Step> =>
      isNew
        ? callAuth('POST /sign-up', {
            body: { ...bodyOf<Static<typeof SignUp>>(fields), language: language() },
          })
        : callAuth('POST /sign-in', {
            body: { ...bodyOf<Static<typeof SignIn>>(fields), language: language() },
          }),
    onSuccess: onStep,
  });
  const byPasskey = useMutation({
    mutationFn: async () => callAuth('POST /sign-in/passkey', { body: await answerByPasskey('sign-in') }),
    onSuccess: onStep,
  });
  const submit = (fields: FormData) => {
    byPasskey.reset();
    enter.mutate(fields);
  };
  const error = enter.error ?? byPasskey.error;
  const faulty = findFaultyField(error);
  const faultOf = (field: string) => faulty === field && describeError(error);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLInputElement>(`[name="${faulty ?? 'password'}"]`)?.select();
  }, [error, faulty]);
  const button = (
    <Submit of={enter} fullWidth>
      {title}
    </Submit>
  );
  const fields = (
    <>
      {isNew && (
        <TextInput
          name="name"
          label={t('ui.session.name')}
          description={t('ui.session.nameHint')}
          error={faultOf('name')}
          autoComplete="name"
          required
          autoFocus
        />
      )}
      <TextInput
        name="email"
        label={t('ui.session.email')}
        error={faultOf('email')}
        defaultValue={email}
        // Not `type="email"`: browsers refuse or rewrite addresses that the server accepts.
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        autoComplete="username"
        required
        autoFocus={!isNew && email === undefined}
      />
      <PasswordInput
        name="password"
        label={t('ui.session.password')}
        description={isNew ? t('ui.session.newPasswordHint') : undefined}
        error={faultOf('password')}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        required
        autoFocus={!isNew && email !== undefined}
        minLength={isNew ? 8 : undefined}
      />
      {!isNew && button}
    </>
  );
  return (
    <Form onSubmit={submit} ref={form}>
      <StepHead
        title={title}
        lead={lead ?? (isNew ? t('ui.session.signUpLead') : t('ui.session.signInLead'))}
      />
      {error && !faulty && <Fault error={error} />}
      {takesPasswords && (isNew ? <SignUpGate button={button}>{fields}</SignUpGate> : fields)}
      {takesPasswords && !isNew && (
        <>
          <Anchor component="button" type="button" size="sm" onClick={onForgotten}>
            {t('ui.session.forgotten')}
          </Anchor>
          <Divider />
        </>
      )}
      {providers}
      {!isNew && (
        <Button
          variant="default"
          leftSection={<IconFingerprint size={18} />}
          loading={byPasskey.isPending}
          onClick={() => {
            enter.reset();
            byPasskey.mutate(undefined);
          }}
        >
          {t('ui.session.byPasskey')}
        </Button>
      )}
    </Form>
  );
}
