import { Anchor, Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnProfile } from '#contract/accounts/profiles.ts';
import { WHO_MAY_ADD } from '#contract/choices.ts';
import { tell } from '../parts/faults.tsx';
import { Form } from '../parts/form.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { Section } from '../parts/screen.tsx';
import { sessionQuery } from '../session/session.ts';
import { rulesQuery } from '../session/sign-up-rules.tsx';
import { language, useTexts } from '../texts.ts';
import { PictureField } from './picture-field.tsx';
import { profileQuery, useAccountChange } from './queries.ts';

/** The profile that other people see, and who may add the person to groups. */
export function Profile() {
  const t = useTexts();
  const profile = useQuery(profileQuery);
  return (
    <Section title={t('ui.account.profile')}>
      <QueryView query={profile}>{(found) => <ProfileForm profile={found} />}</QueryView>
    </Section>
  );
}

function ProfileForm({ profile }: { profile: OwnProfile }) {
  const t = useTexts();
  const queries = useQueryClient();
  const change = useAccountChange('PATCH /profile', {
    done: t('ui.common.saved'),
    onSuccess: () => queries.invalidateQueries(sessionQuery),
  });
  return (
    <Stack>
      <PictureField
        name={profile.name}
        seed={profile.accountId}
        pictureUrl={profile.pictureUrl}
        onChange={(pictureUrl) => change.mutateAsync({ body: { pictureUrl } }).catch(() => undefined)}
      />
      <Form
        key={profile.name}
        onSubmit={(fields) => change.mutate({ body: { name: String(fields.get('name')) } })}
      >
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            name="name"
            label={t('ui.account.name')}
            defaultValue={profile.name}
            autoComplete="name"
            maxLength={64}
            required
            flex={1}
          />
          <Button type="submit" variant="default" loading={change.isPending}>
            {t('ui.common.save')}
          </Button>
        </Group>
      </Form>
      <Form
        key={`@${profile.username ?? ''}`}
        onSubmit={(fields) => {
          const typed = String(fields.get('username')).trim().replace(/^@/, '').toLowerCase();
          change.mutate({ body: { username: typed === '' ? null : typed } });
        }}
      >
        <Group align="flex-end">
          <TextInput
            name="username"
            label={t('ui.account.username')}
            description={t('ui.account.usernameLead')}
            defaultValue={profile.username ?? ''}
            leftSection="@"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={33}
            flex="1 1 240px"
          />
          <Button type="submit" variant="default" loading={change.isPending}>
            {t('ui.account.saveUsername')}
          </Button>
        </Group>
      </Form>
      <EmailField key={profile.email} profile={profile} />
      <Radio.Group
        label={t('ui.account.whoMayAdd')}
        value={profile.whoMayAddMe}
        onChange={(chosen) => change.mutate({ body: { whoMayAddMe: chosen as OwnProfile['whoMayAddMe'] } })}
      >
        <Stack gap={6} mt={6}>
          {WHO_MAY_ADD.map((value) => (
            <Radio key={value} value={value} label={t(`ui.whoMayAdd.${value}`)} />
          ))}
        </Stack>
      </Radio.Group>
    </Stack>
  );
}

/** The e-mail address for signing in, and whether it is verified. */
function EmailField({ profile }: { profile: OwnProfile }) {
  const t = useTexts();
  const sendsMail = useQuery(rulesQuery).data?.sendsMail ?? false;
  const change = useAccountChange('POST /email', {
    onSuccess: ({ isMailed }) => tell(isMailed ? t('ui.account.emailMailed') : t('ui.account.emailChanged')),
  });
  const confirm = useAccountChange('POST /email/confirmation', {
    onSuccess: ({ isMailed }) => tell(isMailed ? t('ui.account.emailMailed') : t('ui.account.emailNoMail')),
  });
  const isConfirmed = profile.emailConfirmedAt !== undefined;
  return (
    <div>
      <Form
        onSubmit={(fields) =>
          change.mutate({ body: { email: String(fields.get('email')).trim(), language: language() } })
        }
      >
        <Group align="flex-end">
          <TextInput
            name="email"
            type="email"
            label={t('ui.account.email')}
            defaultValue={profile.email}
            autoComplete="email"
            maxLength={254}
            required
            flex="1 1 240px"
          />
          <Button type="submit" variant="default" loading={change.isPending}>
            {t('ui.account.changeEmail')}
          </Button>
        </Group>
      </Form>
      {sendsMail && (
        <Text size="xs" c="dimmed" mt={4}>
          {isConfirmed ? t('ui.account.emailConfirmed') : t('ui.account.emailUnconfirmed')}{' '}
          {!isConfirmed && (
            <Anchor
              component="button"
              type="button"
              size="xs"
              onClick={() => confirm.mutate({ body: { language: language() } })}
            >
              {t('ui.account.confirmEmail')}
            </Anchor>
          )}
        </Text>
      )}
    </div>
  );
}
