import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnProfile } from '#contract/accounts/profiles.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { tell } from '../parts/faults.tsx';
import { Form } from '../parts/form.tsx';
import { PictureField } from '../parts/picture-field.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { Section } from '../parts/screen.tsx';
import { sessionQuery } from '../session/session.ts';
import { rulesQuery } from '../session/sign-up-rules.tsx';
import { language, useTexts } from '../texts.ts';
import { profileQuery, useAccountChange } from './queries.ts';

/** The profile that other people see, and the e-mail address for signing in. */
export function Profile() {
  const t = useTexts();
  return (
    <Section title={t('ui.account.profile')}>
      <QueryView query={useQuery(profileQuery)}>{(profile) => <ProfileForm profile={profile} />}</QueryView>
    </Section>
  );
}

/** The fields as typed; the others show the stored profile, also after it changed elsewhere. */
type Typed = Partial<Record<'name' | 'username' | 'email', string>>;

function ProfileForm({ profile }: { profile: OwnProfile }) {
  const t = useTexts();
  const queries = useQueryClient();
  const [typed, setTyped] = useState<Typed>({});
  // The session has the name and the address, too.
  const onSuccess = () => queries.invalidateQueries(sessionQuery);
  const changePicture = useAccountChange('PATCH /profile', { done: t('ui.common.saved'), onSuccess });
  const changeProfile = useAccountChange('PATCH /profile', { done: t('ui.common.saved'), onSuccess });
  const changeEmail = useAccountChange('POST /email', {
    onSuccess: ({ isMailed }) => {
      tell(isMailed ? t('ui.account.emailMailed') : t('ui.account.emailChanged'));
      void onSuccess();
    },
  });

  const { name = profile.name, username = profile.username ?? '', email = profile.email } = typed;
  const newUsername = username.trim().replace(/^@/, '').toLowerCase();
  const isOfProfile = name !== profile.name || newUsername !== (profile.username ?? '');
  const isOfEmail = email.trim() !== profile.email;
  const save = async () => {
    if (isOfProfile)
      await changeProfile.mutateAsync({ body: { name, username: newUsername === '' ? null : newUsername } });
    if (isOfEmail) await changeEmail.mutateAsync({ body: { email: email.trim(), language: language() } });
    setTyped({});
  };
  const fieldOf = (field: keyof Typed, value: string) => ({
    name: field,
    value,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTyped((before) => ({ ...before, [field]: currentTarget.value })),
  });
  return (
    <Stack>
      <PictureField
        name={profile.name}
        seed={profile.accountId}
        pictureUrl={profile.pictureUrl}
        onChange={(pictureUrl) => changePicture.mutateAsync({ body: { pictureUrl } }).catch(() => undefined)}
      />
      {/* A refusal is shown by the change itself; what was typed stays. */}
      <Form onSubmit={() => void save().catch(() => undefined)}>
        <TextInput
          {...fieldOf('name', name)}
          label={t('ui.account.name')}
          autoComplete="name"
          maxLength={64}
          required
        />
        <TextInput
          {...fieldOf('username', username)}
          label={t('ui.account.username')}
          description={t('ui.account.usernameLead')}
          leftSection="@"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={33}
        />
        <div>
          <TextInput
            {...fieldOf('email', email)}
            label={t('ui.account.email')}
            type="email"
            autoComplete="email"
            maxLength={254}
            required
          />
          <Confirmation isConfirmed={profile.emailConfirmedAt !== undefined} />
        </div>
        {(isOfProfile || isOfEmail) && (
          <Group>
            <Button type="submit" loading={changeProfile.isPending || changeEmail.isPending}>
              {t('ui.common.save')}
            </Button>
            <Button variant="default" onClick={() => setTyped({})}>
              {t('ui.common.cancel')}
            </Button>
          </Group>
        )}
      </Form>
    </Stack>
  );
}

/** Whether the e-mail address is verified, where the server can verify it. */
function Confirmation({ isConfirmed }: { isConfirmed: boolean }) {
  const t = useTexts();
  const sendsMail = useQuery(rulesQuery).data?.sendsMail ?? false;
  const confirm = useAccountChange('POST /email/confirmation', {
    onSuccess: ({ isMailed }) => tell(isMailed ? t('ui.account.emailMailed') : t('ui.account.emailNoMail')),
  });
  if (!sendsMail) return null;
  return (
    <Dimmed size="xs" mt={4}>
      {isConfirmed ? t('ui.account.emailConfirmed') : t('ui.account.emailUnconfirmed')}{' '}
      {!isConfirmed && (
        <Anchor
          component="button"
          type="button"
          size="xs"
          underline="always"
          onClick={() => confirm.mutate({ body: { language: language() } })}
        >
          {t('ui.account.confirmEmail')}
        </Anchor>
      )}
    </Dimmed>
  );
}
