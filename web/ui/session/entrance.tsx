import { Anchor, Button, Card, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Static } from 'typebox';
import type { SignedIn } from '#contract/accounts.ts';
import { api } from '../api.ts';
import { commonTexts } from '../common-texts.ts';
import { Fault } from '../parts/faults.tsx';
import { Preferences } from '../parts/preferences.tsx';
import { useTexts } from '../texts.ts';
import { sessionQuery } from './session.ts';
import { sessionTexts } from './texts.ts';

type Way = 'sign-in' | 'sign-up';

/** The way in: sign-in, or a new account. Whoever has entered finds what the address bar asked for. */
export function Entrance({ first = 'sign-in' }: { first?: Way }) {
  const t = { ...useTexts(commonTexts), ...useTexts(sessionTexts) };
  const [way, setWay] = useState<Way>(first);
  const isNew = way === 'sign-up';
  const title = isNew ? t.signUp : t.signIn;
  const queries = useQueryClient();
  const enter = useMutation({
    mutationFn: (form: Record<string, string>) => api.post<Static<typeof SignedIn>>(`/api/auth/${way}`, form),
    onSuccess: ({ account }) => {
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, account);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    enter.mutate(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>);
  };
  const change = () => {
    enter.reset();
    setWay(isNew ? 'sign-in' : 'sign-up');
  };
  return (
    <Stack component="main" maw={420} mx="auto" px="md" pt="max(1rem, 8vh)" pb="xl">
      <title>{`${title} – ${t.service}`}</title>
      <Group gap="xs">
        <img src="/icon.svg" width={28} height={28} alt="" />
        <Text fw={650} size="lg">
          {t.service}
        </Text>
      </Group>
      <Card withBorder padding="xl" radius="lg">
        <form onSubmit={submit} key={way}>
          <Stack>
            <div>
              <Title order={1} size="h2">
                {title}
              </Title>
              <Text c="dimmed">{isNew ? t.signUpLead : t.signInLead}</Text>
            </div>
            {enter.isError && <Fault error={enter.error} />}
            {isNew && (
              <TextInput
                name="name"
                label={t.name}
                description={t.nameHint}
                autoComplete="name"
                required
                maxLength={64}
                data-autofocus
              />
            )}
            <TextInput name="email" type="email" label={t.email} autoComplete="username" required autoFocus />
            <PasswordInput
              name="password"
              label={t.password}
              description={isNew ? t.newPasswordHint : undefined}
              autoComplete={isNew ? 'new-password' : 'current-password'}
              required
              minLength={isNew ? 8 : undefined}
            />
            <Button type="submit" loading={enter.isPending} fullWidth>
              {title}
            </Button>
          </Stack>
        </form>
      </Card>
      <Group justify="space-between">
        <Text size="sm">
          {isNew ? t.haveAccount : t.noAccount}{' '}
          <Anchor component="button" type="button" size="sm" onClick={change}>
            {isNew ? t.signIn : t.signUp}
          </Anchor>
        </Text>
        <Preferences />
      </Group>
    </Stack>
  );
}
