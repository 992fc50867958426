import { Button, Group, Stepper, Text, TextInput } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate, useSearchParams } from 'react-router';
import type { NewApplication } from '#contract/applications.ts';
import type { BotCommand } from '#contract/bots.ts';
import { LIMITS } from '#contract/limits.ts';
import { ApiError, callConsole } from '../../ui/api.ts';
import { Fault, faultOf } from '../../ui/parts/faults.tsx';
import { Form, Submit } from '../../ui/parts/form.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { homeQuery, usernamesQuery } from '../application/queries.ts';
import { CommandsEditor, isEmpty, isGoodCommand, UsernameInput, usernameError } from '../bot/fields.tsx';
import { PingResult, WebhookUrlHelp } from '../events/webhook-help.tsx';
import { FirstAnswerStep } from './first-answer-step.tsx';
import { LostSecrets, ShownSecrets } from './secrets-step.tsx';
import classes from './wizard.module.css';

/** The input for an application that is not created yet. */
interface Draft {
  name: string;
  /** As typed; before that, one like the name is proposed. */
  username?: string;
  commands: BotCommand[];
}

/** Kept until the tab is closed. */
const DRAFT = {
  key: 'parley-new-application',
  defaultValue: { name: '', commands: [] } as Draft,
  getInitialValueInEffect: false,
};

const STYLES = {
  steps: classes.steps ?? '',
  separator: classes.separator ?? '',
  step: classes.step ?? '',
  stepBody: classes.stepBody ?? '',
};

const STEPS = ['name', 'bot', 'secrets', 'webhook', 'first'] as const;
type Step = (typeof STEPS)[number];

/**
 * From a name to the first message, and the bot's answer to it. Nothing is created before the step that shows the
 * secrets. The step is in the URL and the input in the session storage, so that a reload and the back button keep the
 * place; secrets are in neither.
 */
export function Component() {
  const t = useTexts();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [query] = useSearchParams();
  const [shown, setShown] = useState<NewApplication>();
  const [isSaved, setSaved] = useState(false);
  const appId = query.get('app');
  const [draft, setDraft, forgetDraft] = useSessionStorage(DRAFT);
  const step = stepOf(query.get('step'), appId, draft);
  const secrets = shown?.appId === appId ? shown : undefined;
  const goTo = (next: Step, app = appId, replace = false) =>
    navigate({ search: String(new URLSearchParams({ ...(app && { app }), step: next })) }, { replace });
  const show = (secretsNow: NewApplication | undefined) => {
    setShown(secretsNow);
    setSaved(false);
  };
  const begin = (app: string, made?: NewApplication) => {
    forgetDraft();
    void queries.invalidateQueries(homeQuery);
    show(made);
    void goTo('secrets', app, true);
  };
  const contents: Record<Step, ReactNode> = {
    name: (
      <NameStep
        first={draft.name}
        onDone={(name) => {
          setDraft({ ...draft, name });
          void goTo('bot');
        }}
      />
    ),
    bot: (
      <BotStep draft={draft} onDraft={setDraft} onMade={(made) => begin(made.appId, made)} onFound={begin} />
    ),
    secrets:
      appId &&
      (secrets ? (
        <ShownSecrets
          secrets={secrets}
          isSaved={isSaved}
          onDone={() => {
            flushSync(() => setSaved(true));
            void goTo('webhook');
          }}
        />
      ) : (
        <LostSecrets appId={appId} onShown={show} onDone={() => void goTo('webhook')} />
      )),
    webhook: appId && <WebhookStep appId={appId} onDone={() => void goTo('first')} />,
    first: appId && <FirstAnswerStep appId={appId} apiKey={secrets?.apiKey} />,
  };
  return (
    <Screen title={t('console.home.create')} size="md" isCentred>
      <Stepper active={STEPS.indexOf(step)} classNames={STYLES} size="sm" iconSize={30}>
        {STEPS.map((one) => (
          // They show the progress, and are no buttons.
          <Stepper.Step
            key={one}
            label={t(`console.wizardStep.${one}`)}
            allowStepSelect={false}
            component="div"
            {...(one === step && { 'aria-current': 'step' })}
          >
            {contents[one]}
          </Stepper.Step>
        ))}
      </Stepper>
    </Screen>
  );
}

/** The step in the URL, if its requirements are met. */
function stepOf(asked: string | null, appId: string | null, draft: Draft): Step {
  const step = STEPS.find((one) => one === asked) ?? 'name';
  if (appId !== null) return step === 'name' || step === 'bot' ? 'secrets' : step;
  return step === 'bot' && draft.name ? 'bot' : 'name';
}

function NameStep({ first, onDone }: { first: string; onDone: (name: string) => void }) {
  const t = useTexts();
  const [isMissing, setMissing] = useState(false);
  const submit = (fields: FormData) => {
    const name = String(fields.get('name'));
    setMissing(name.trim() === '');
    if (name.trim() !== '') onDone(name);
  };
  return (
    <Form onSubmit={submit} noValidate align="flex-start" maw={480} pt="md">
      <Text c="dimmed">{t('console.wizard.nameLead')}</Text>
      <TextInput
        w="100%"
        name="name"
        label={t('console.wizard.name')}
        defaultValue={first}
        error={isMissing && t('console.wizard.nameMissing')}
        maxLength={LIMITS.applicationNameLength}
        autoComplete="off"
        required
        autoFocus
      />
      <Button type="submit">{t('ui.common.next')}</Button>
    </Form>
  );
}

function WebhookStep({ appId, onDone }: { appId: string; onDone: () => void }) {
  const t = useTexts();
  const test = useMutation({
    mutationFn: async (webhookUrl: string) => {
      await callConsole('PUT /applications/:appId/webhook-url', { params: { appId }, body: { webhookUrl } });
      return callConsole('POST /applications/:appId/webhook/ping', { params: { appId } });
    },
  });
  const fault = faultOf(test.error, 'webhookUrl');
  return (
    <Form onSubmit={(fields) => test.mutate(String(fields.get('webhookUrl')))} noValidate maw={560} pt="md">
      <Text c="dimmed">{t('console.wizard.webhookLead')}</Text>
      <TextInput
        name="webhookUrl"
        label={t('console.wizard.webhookUrl')}
        placeholder="https://example.com/webhook"
        error={fault}
        maxLength={LIMITS.urlLength}
        inputMode="url"
        autoCapitalize="none"
        required
        autoFocus
      />
      {test.isError && !fault && <Fault error={test.error} />}
      <WebhookUrlHelp url={test.variables ?? ''} error={test.error} onUse={(url) => test.mutate(url)} />
      {test.data && <PingResult ping={test.data} />}
      <Group>
        <Submit of={test} variant={test.data ? 'default' : 'filled'}>
          {t('console.wizard.saveAndTest')}
        </Submit>
        <Button variant={test.data ? 'filled' : 'subtle'} onClick={onDone}>
          {test.data ? t('console.wizard.onward') : t('console.wizard.skip')}
        </Button>
      </Group>
    </Form>
  );
}

/** Creates the application with its bot in one request; input survives a reload. */
function BotStep({
  draft,
  onDraft,
  onMade,
  onFound,
}: {
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onMade: (made: NewApplication) => void;
  /** An earlier request created the application, but its response was lost. */
  onFound: (appId: string) => void;
}) {
  const t = useTexts();
  const { name } = draft;
  const queries = useQueryClient();
  const proposed = useQuery(usernamesQuery(name)).data?.suggestions[0];
  const username = draft.username ?? proposed ?? '';
  /** It may still be on its way. */
  const propose = async () => (await queries.ensureQueryData(usernamesQuery(name))).suggestions[0] ?? '';
  const commands = draft.commands.filter((one) => !isEmpty(one));
  const create = useMutation({
    mutationFn: async () => {
      const bot = { username: draft.username ?? (await propose()), commands };
      return callConsole('POST /applications', { body: { name, bot } });
    },
    onSuccess: onMade,
    onError: async (error) => {
      const appId = mayBeMade(error) && (await findMade(name, username));
      if (appId) onFound(appId);
    },
  });
  const change = (part: Partial<Draft>) => {
    onDraft({ ...draft, ...part });
    create.reset();
  };
  const fault = usernameError(create.error);
  return (
    <Form onSubmit={() => create.mutate(undefined)} noValidate align="stretch" maw={560} pt="md">
      <Text c="dimmed">{t('console.wizard.botLead')}</Text>
      {create.isError && !fault && <Fault error={create.error} />}
      <UsernameInput
        value={username}
        onChange={(typed) => change({ username: typed })}
        error={fault}
        autoFocus
      />
      <CommandsEditor commands={draft.commands} onChange={(typed) => change({ commands: typed })} />
      <Submit of={create} w="fit-content" disabled={!commands.every(isGoodCommand)}>
        {t('console.wizard.create')}
      </Submit>
    </Form>
  );
}

function mayBeMade(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.reason === 'bot.username-taken');
}

async function findMade(name: string, username: string): Promise<string | undefined> {
  const { applications } = await callConsole('GET /home');
  return applications.find((one) => one.name === name && one.bot?.username === username)?.appId;
}
