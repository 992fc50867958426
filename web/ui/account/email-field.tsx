import { Anchor, Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OwnProfile } from '#contract/accounts/profiles.ts';
import { callAuth } from '../api.ts';
import { tell } from '../parts/faults.tsx';
import { Form } from '../parts/form.tsx';
import { rulesQuery } from '../session/sign-up-rules.tsx';
import { language, useTexts } from '../texts.ts';
import { useAccountChange } from './queries.ts';

/** The e-mail address for signing in, and whether it is verified. */
export function EmailField({ profile }: { profile: OwnProfile }) {
  const t = useTexts();
  const sendsMail = useQuery(rulesQuery).data?.sendsMail ?? false;
  const change = useAccountChange(
    (email: string) => callAuth('POST /email', { body: { email, language: language() } }),
    {
      onSuccess: ({ isMailed }) =>
        tell(isMailed ? t('ui.account.emailMailed') : t('ui.account.emailChanged')),
    },
  );
  const confirm = useAccountChange(
    () => callAuth('POST /email/confirmation', { body: { language: language() } }),
    {
      onSuccess: ({ isMailed }) => tell(isMailed ? t('ui.account.emailMailed') : t('ui.account.emailNoMail')),
    },
  );
  const isConfirmed = profile.emailConfirmedAt !== undefined;
  return (
    <div>
      <Form onSubmit={(fields) => change.mutate(String(fields.get('email')).trim())}>
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
            <Anchor component="button" type="button" size="xs" onClick={() => confirm.mutate(undefined)}>
              {t('ui.account.confirmEmail')}
            </Anchor>
          )}
        </Text>
      )}
    </div>
  );
}
