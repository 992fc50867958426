import { Button, Card, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { LIMITS } from '#contract/limits.ts';
import { confirms, runs } from '../ui/parts/change.ts';
import { ConfirmButton } from '../ui/parts/confirm-button.tsx';
import { FormLine, Submit } from '../ui/parts/form.tsx';
import { Screen, Section } from '../ui/parts/screen.tsx';
import { useTexts } from '../ui/texts.ts';
import { ApplicationBadge } from './application/badges.tsx';
import { DeveloperOnly, useApplication } from './application/layout.tsx';
import { keyOf, useChange } from './application/queries.ts';

/** Rename, disable, reactivate, delete. */
export function Component() {
  const t = useTexts();
  const { role } = useApplication();
  return (
    <Screen title={t('console.application.settings')}>
      <DeveloperOnly>
        <Name />
      </DeveloperOnly>
      {role === 'owner' && (
        <>
          <Life />
          <Deletion />
        </>
      )}
    </Screen>
  );
}

function Name() {
  const t = useTexts();
  const { name } = useApplication();
  const rename = useChange('PATCH /applications/:appId', { done: t('console.settings.renamed') });
  return (
    <FormLine
      key={name}
      onSubmit={(fields) => rename.mutate({ body: { name: String(fields.get('name')) } })}
      wrap="nowrap"
    >
      <TextInput
        name="name"
        label={t('console.settings.name')}
        description={t('console.settings.nameHint')}
        defaultValue={name}
        maxLength={LIMITS.applicationNameLength}
        required
        flex={1}
        maw={480}
      />
      <Submit of={rename} variant="default">
        {t('ui.common.save')}
      </Submit>
    </FormLine>
  );
}

function Life() {
  const t = useTexts();
  const { appId, state } = useApplication();
  const disable = useChange('POST /applications/:appId/disable', {
    done: t('console.settings.disabledDone'),
  });
  const reactivate = useChange('POST /applications/:appId/reactivate', {
    done: t('console.settings.reactivatedDone'),
  });
  return (
    <Section title={t('console.settings.life')}>
      <Card withBorder>
        <Group justify="space-between">
          <Stack gap={4} maw={560}>
            <ApplicationBadge appId={appId} state={state} />
            <Text size="sm">{t(`console.settings.${state}Text`)}</Text>
          </Stack>
          {state === 'active' && (
            <ConfirmButton
              label={t('console.settings.disable')}
              title={t('console.settings.disableTitle')}
              text={t('console.settings.disableText')}
              {...confirms(disable)}
            />
          )}
          {state === 'disabled' && <Button {...runs(reactivate)}>{t('console.settings.reactivate')}</Button>}
        </Group>
      </Card>
    </Section>
  );
}

function Deletion() {
  const t = useTexts();
  const { appId, name } = useApplication();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const end = useChange('DELETE /applications/:appId', {
    done: t('console.settings.deletedDone'),
    onSuccess: async () => {
      await navigate('/', { replace: true });
      queries.removeQueries({ queryKey: keyOf(appId) });
    },
  });
  return (
    <Section title={t('console.settings.deleteTitle')} lead={t('console.settings.deleteLead')}>
      <ConfirmButton
        w="fit-content"
        color="red"
        variant="light"
        label={t('ui.common.delete')}
        title={t('console.settings.deleteTitle')}
        typed={{ label: t('console.settings.typeName', { name }), word: name }}
        text={t('console.settings.deleteText')}
        {...confirms(end)}
      />
    </Section>
  );
}
