import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { NewApplication } from '#contract/applications.ts';
import { LIMITS } from '#contract/limits.ts';
import { api } from '../../ui/api.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { Fault } from '../../ui/parts/faults.tsx';
import { Form } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';
import { homeQuery } from '../application/queries.ts';
import { wizardTexts } from './texts.ts';

export function NameStep({ onMade }: { onMade: (made: NewApplication) => void }) {
  const t = { ...useTexts(commonTexts), ...useTexts(wizardTexts) };
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: (name: string) => api.post<NewApplication>('/api/console/applications', { name }),
    onSuccess: (made) => {
      void queries.invalidateQueries(homeQuery);
      onMade(made);
    },
  });
  return (
    <Form onSubmit={(fields) => create.mutate(String(fields.get('name')))}>
      <Stack align="flex-start" maw={480} pt="md">
        <Text c="dimmed">{t.nameLead}</Text>
        {create.isError && <Fault error={create.error} />}
        <TextInput
          w="100%"
          name="name"
          label={t.name}
          maxLength={LIMITS.applicationNameLength}
          autoComplete="off"
          required
          autoFocus
        />
        <Button type="submit" loading={create.isPending}>
          {t.create}
        </Button>
      </Stack>
    </Form>
  );
}
