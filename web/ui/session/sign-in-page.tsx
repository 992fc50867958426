import { Alert, Anchor, Button, Card, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { withReturnTo } from '#contract/return-to.ts';
import { callAuth } from '../api.ts';
import { NoticeBar } from '../notices/notices.tsx';
import { Fault } from '../parts/faults.tsx';
import { Form, Submit } from '../parts/form.tsx';
import { Preferences } from '../parts/preferences.tsx';
import { useTexts } from '../texts.ts';
import { FirstStep, type Mode, type Step } from './first-step.tsx';
import { withdrawShown } from './kept.ts';
import { ForgottenPassword, NewPassword } from './new-password.tsx';
import { ProviderButtons, providersQuery } from './providers.tsx';
import { noteChangeOfPerson, useChangeOfPerson } from './session.ts';
import { invitationInAddress } from './sign-up-rules.tsx';
import { StepHead } from './step-head.tsx';

interface Visit {
  first?: Mode;
  /** Above the form. */
  welcome?: ReactNode;
  /** A path of this server that is loaded afterwards; else the page in the address bar is shown. */
  returnTo?: string;
  /** Filled in already. */
  email?: string | undefined;
  /** The provider that the person is connected with once they have signed in by other means. */
  connect?: string | undefined;
}

const CODE = '#code=';

/** The ticket of a sign-in at a provider that continues here with a code; it leaves the address bar. */
function takeTicket(): string | undefined {
  const { hash, pathname, search } = location;
  if (!hash.startsWith(CODE)) return undefined;
  history.replaceState(history.state, '', pathname + search);
  return hash.slice(CODE.length);
}

/** Sign-in, sign-up and a new password. */
export default function SignInPage({ first = 'sign-in', welcome, returnTo, email, connect }: Visit) {
  const t = useTexts();
  const [mode, setMode] = useState<Mode>(first === 'sign-in' && invitationInAddress() ? 'sign-up' : first);
  const [mailedTo, setMailedTo] = useState<string>();
  const [ticket, setTicket] = useState(takeTicket);
  const { data: { providers = [], takesPasswords = true } = {} } = useQuery(providersQuery);
  const connecting = providers.find(({ providerId }) => providerId === connect);
  const enter = useChangeOfPerson();
  useEffect(() => void withdrawShown().catch(() => undefined), []);
  const resume = ({ account, secondFactor, emailConfirmation }: Step) => {
    if (emailConfirmation) {
      setMailedTo(emailConfirmation.email);
      setMode('sign-in');
    }
    if (secondFactor) setTicket(secondFactor.ticket);
    if (account && returnTo !== undefined) {
      noteChangeOfPerson();
      location.replace(returnTo);
    } else if (account) enter(account);
  };
  return (
    <Stack component="main" maw={420} mx="auto" px="md" pt="max(1rem, 8vh)" pb="xl">
      <Group gap="xs">
        <img src="/icon.svg" width={28} height={28} alt="" />
        <Text fw={650} size="lg">
          {t('ui.common.service')}
        </Text>
      </Group>
      <NoticeBar isInset isSignedIn={false} />
      {welcome}
      {mailedTo !== undefined && (
        <Alert title={t('ui.session.checkMail')}>{t('ui.session.checkMailText', { email: mailedTo })}</Alert>
      )}
      {connecting && (
        <Alert title={t('ui.session.connectTitle', { name: connecting.name })} role="status">
          {t('ui.session.connectText', { name: connecting.name })}
        </Alert>
      )}
      <Card withBorder padding="xl" radius="lg">
        {mode === 'reset' ? (
          <NewPassword ticket={location.hash.slice(1)} />
        ) : mode === 'forgotten' ? (
          <ForgottenPassword onBack={() => setMode('sign-in')} />
        ) : ticket === undefined ? (
          <FirstStep
            key={mode}
            mode={mode}
            email={email}
            lead={returnTo?.startsWith('/oauth/authorize') ? t('ui.session.thenYouDecide') : undefined}
            takesPasswords={takesPasswords}
            providers={
              connecting ? null : (
                <ProviderButtons
                  providers={providers}
                  purpose="sign-in"
                  returnTo={returnTo}
                  variant={takesPasswords ? 'default' : 'filled'}
                />
              )
            }
            onStep={resume}
            onForgotten={() => setMode('forgotten')}
          />
        ) : (
          <CodeStep ticket={ticket} onStep={resume} onStartOver={() => setTicket(undefined)} />
        )}
      </Card>
      <Group justify="space-between">
        {takesPasswords && ticket === undefined ? (
          <OtherMode isNew={mode === 'sign-up'} returnTo={returnTo} onChange={setMode} />
        ) : (
          <span />
        )}
        <Preferences />
      </Group>
    </Stack>
  );
}

function OtherMode({
  isNew,
  returnTo,
  onChange,
}: {
  isNew: boolean;
  returnTo: string | undefined;
  onChange: (mode: Mode) => void;
}) {
  const t = useTexts();
  const other = isNew ? 'sign-in' : 'sign-up';
  const label = isNew ? t('ui.session.signIn') : t('ui.session.signUp');
  return (
    <Text size="sm">
      {isNew ? t('ui.session.haveAccount') : t('ui.session.noAccount')}{' '}
      {returnTo === undefined ? (
        <Anchor component="button" type="button" size="sm" underline="always" onClick={() => onChange(other)}>
          {label}
        </Anchor>
      ) : (
        <Anchor href={withReturnTo(`/${other}`, returnTo)} size="sm" underline="always">
          {label}
        </Anchor>
      )}
    </Text>
  );
}

function CodeStep({
  ticket,
  onStep,
  onStartOver,
}: {
  ticket: string;
  onStep: (step: Step) => void;
  onStartOver: () => void;
}) {
  const t = useTexts();
  const prove = useMutation({
    mutationFn: (code: string) => callAuth('POST /sign-in/code', { body: { ticket, code } }),
    onSuccess: onStep,
  });
  return (
    <Form onSubmit={(fields) => prove.mutate(String(fields.get('code')))}>
      <StepHead title={t('ui.session.codeTitle')} lead={t('ui.session.codeLead')} />
      {prove.isError && <Fault error={prove.error} />}
      <TextInput name="code" label={t('ui.session.code')} autoComplete="one-time-code" required autoFocus />
      <Submit of={prove}>{t('ui.session.signIn')}</Submit>
      <Button variant="subtle" onClick={onStartOver}>
        {t('ui.session.startOver')}
      </Button>
    </Form>
  );
}
