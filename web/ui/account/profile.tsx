import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChangeProfile, OwnProfile } from '#contract/accounts/profiles.ts';
import { WHO_MAY_ADD } from '#contract/choices.ts';
import { callAuth } from '../api.ts';
import { Form } from '../parts/form.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { Section } from '../parts/screen.tsx';
import { sessionQuery } from '../session/session.ts';
import { useTexts } from '../texts.ts';
import { EmailField } from './email-field.tsx';
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
  const change = useAccountChange((part: ChangeProfile) => callAuth('PATCH /profile', { body: part }), {
    done: t('ui.common.saved'),
    onSuccess: () => queries.invalidateQueries(sessionQuery),
  });
  return (
    <Stack>
      <PictureField
        name={profile.name}
        seed={profile.accountId}
        pictureUrl={profile.pictureUrl}
        onChange={(pictureUrl) => change.mutateAsync({ pictureUrl }).catch(() => undefined)}
      />
      <Form key={profile.name} onSubmit={(fields) => change.mutate({ name: String(fields.get('name')) })}>
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
          change.mutate({ username: typed === '' ? null : typed });
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
        onChange={(chosen) => change.mutate({ whoMayAddMe: chosen as OwnProfile['whoMayAddMe'] })}
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
