import { Badge, Button, Group, PasswordInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { ChangePassword } from '#contract/accounts.ts';
import { callAuth } from '../api.ts';
import { download } from '../download.ts';
import { reportSubscription } from '../notifications/push.ts';
import { confirms, runs, useChangeOf } from '../parts/change.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Dimmed } from '../parts/dimmed.tsx';
import { bodyOf, Form, Submit } from '../parts/form.tsx';
import { Moment } from '../parts/moment.tsx';
import { QueryRows } from '../parts/query-view.tsx';
import { Screen, Section } from '../parts/screen.tsx';
import { identitiesQuery } from '../session/means.ts';
import { useAccount, useChangeOfPerson } from '../session/session.ts';
import { useTexts } from '../texts.ts';
import { Identities, Passkeys } from './means.tsx';
import { Profile } from './profile.tsx';
import { accountKeys, sessionsQuery, useAccountChange } from './queries.ts';
import { TwoFactorSignIn } from './two-factor.tsx';
import { nameBrowser } from './user-agent.ts';

/** The person's own account: profile, sign-in, sessions, data, deletion. */
export function Component() {
  const t = useTexts();
  return (
    <Screen title={t('ui.account.title')} size="sm" isCentred>
      <AccountSections />
    </Screen>
  );
}

/** The content of the screen, for an app with a frame of its own. */
export function AccountSections() {
  return (
    <>
      <Profile />
      <Identities />
      <Password />
      <Passkeys />
      <TwoFactorSignIn />
      <Sessions />
      <Export />
      <Deletion />
    </>
  );
}

function Password() {
  const t = useTexts();
  const { email } = useAccount();
  const { data: means } = useQuery(identitiesQuery);
  const change = useChangeOf(
    accountKeys,
    (form: HTMLFormElement) =>
      callAuth('POST /password', { body: bodyOf<Static<typeof ChangePassword>>(new FormData(form)) }).then(
        () => {
          form.reset();
          reportSubscription();
        },
      ),
    { done: t('ui.account.passwordChanged') },
  );
  if (means?.hasPassword === false) return null;
  return (
    <Section title={t('ui.account.password')}>
      <Form onSubmit={(_, form) => change.mutate(form)} align="flex-start">
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
        <Submit of={change} variant="default">
          {t('ui.account.changePassword')}
        </Submit>
      </Form>
    </Section>
  );
}

/** An export of everything that the server stores about the person. */
function Export() {
  const t = useTexts();
  const save = useChangeOf(accountKeys, () => download('/api/auth/export', 'parley-data.json'));
  return (
    <Section title={t('ui.account.data')} lead={t('ui.account.dataLead')}>
      <Button w="fit-content" variant="default" {...runs(save)}>
        {t('ui.account.export')}
      </Button>
    </Section>
  );
}

function Deletion() {
  const t = useTexts();
  const { email } = useAccount();
  const changePerson = useChangeOfPerson();
  const end = useAccountChange('POST /account/delete', {
    done: t('ui.account.deleted'),
    onSuccess: () => changePerson(null),
  });
  return (
    <Section title={t('ui.account.deletion')} lead={t('ui.account.deletionLead')}>
      <ConfirmButton
        w="fit-content"
        color="red"
        variant="light"
        label={t('ui.account.deletion')}
        typed={{ label: t('ui.account.typeEmail', { email }), word: email }}
        text={t('ui.account.deletionText')}
        {...confirms(end, { body: { email } })}
      />
    </Section>
  );
}

function Sessions() {
  const t = useTexts();
  const changePerson = useChangeOfPerson();
  const end = useAccountChange('POST /sessions/revoke', { done: t('ui.account.sessionEnded') });
  const endAll = useAccountChange('POST /sign-out-everywhere', { onSuccess: () => changePerson(null) });
  return (
    <Section
      title={t('ui.account.sessions')}
      lead={t('ui.account.sessionsLead')}
      action={
        <ConfirmButton
          size="compact-sm"
          label={t('ui.account.endEverywhere')}
          text={t('ui.account.endEverywhereText')}
          {...confirms(endAll)}
        />
      }
    >
      <QueryRows query={useQuery(sessionsQuery)} gap="xs">
        {({ sessionId, userAgent, lastSeenAt, isCurrent }) => (
          <Group
            key={sessionId}
            role="group"
            aria-labelledby={sessionId}
            justify="space-between"
            wrap="nowrap"
          >
            <div id={sessionId} style={{ minWidth: 0 }}>
              <Text truncate title={userAgent}>
                {nameBrowser(userAgent) ?? t('ui.account.unknownBrowser')}
              </Text>
              <Dimmed size="xs">
                {t('ui.account.lastSeen')} <Moment at={lastSeenAt} />
              </Dimmed>
            </div>
            {isCurrent ? (
              <Badge>{t('ui.account.current')}</Badge>
            ) : (
              <Button variant="default" size="compact-sm" onClick={() => end.mutate({ body: { sessionId } })}>
                {t('ui.account.end')}
              </Button>
            )}
          </Group>
        )}
      </QueryRows>
    </Section>
  );
}
