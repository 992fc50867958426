import { Stepper } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { NewApplication } from '#contract/applications.ts';
import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { homeQuery } from '../application/queries.ts';
import { BotStep } from './bot-step.tsx';
import { forgetDraft, keepDraft, readDraft } from './draft.ts';
import { FirstEventStep } from './first-event-step.tsx';
import { NameStep } from './name-step.tsx';
import { SecretsStep } from './secrets-step.tsx';
import { wizardTexts } from './texts.ts';
import { WebhookStep } from './webhook-step.tsx';
import classes from './wizard.module.css';

const STEPS = ['name', 'bot', 'secrets', 'webhook', 'first'] as const;
type Step = (typeof STEPS)[number];

/**
 * From a name to the first event that arrives, and the answer to it. Nothing is created before the step that shows the
 * secrets. The step is in the URL and the input in the session storage, so that a reload and the back button keep the
 * place; secrets are in neither.
 */
export function Component() {
  const t = useTexts(wizardTexts);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [query] = useSearchParams();
  const [shown, setShown] = useState<NewApplication>();
  const [isSaved, setSaved] = useState(false);
  const appId = query.get('app');
  const step = stepOf(query.get('step'), appId);
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
  return (
    <Screen title={t.title} size="md" isCentred>
      <Stepper
        active={STEPS.indexOf(step)}
        classNames={{ separator: classes.separator ?? '' }}
        size="sm"
        iconSize={30}
        wrap
        allowNextStepsSelect={false}
      >
        <Stepper.Step label={t.stepName} allowStepSelect={false}>
          <NameStep
            onDone={(name) => {
              keepDraft({ ...readDraft(), name });
              void goTo('bot');
            }}
          />
        </Stepper.Step>
        <Stepper.Step label={t.stepBot} allowStepSelect={false}>
          <BotStep onMade={(made) => begin(made.appId, made)} onFound={begin} />
        </Stepper.Step>
        <Stepper.Step label={t.stepSecrets} allowStepSelect={false}>
          {appId && (
            <SecretsStep
              appId={appId}
              secrets={secrets}
              isSaved={isSaved}
              onShown={show}
              onDone={() => {
                setSaved(true);
                void goTo('webhook');
              }}
            />
          )}
        </Stepper.Step>
        <Stepper.Step label={t.stepWebhook} allowStepSelect={false}>
          {appId && <WebhookStep appId={appId} onDone={() => void goTo('first')} />}
        </Stepper.Step>
        <Stepper.Step label={t.stepFirst} allowStepSelect={false}>
          {appId && <FirstEventStep appId={appId} apiKey={secrets?.apiKey} />}
        </Stepper.Step>
      </Stepper>
    </Screen>
  );
}

/** The step in the URL, if its requirements are met. */
function stepOf(asked: string | null, appId: string | null): Step {
  const step = STEPS.find((one) => one === asked) ?? 'name';
  if (appId !== null) return step === 'name' || step === 'bot' ? 'secrets' : step;
  return step === 'bot' && readDraft().name ? 'bot' : 'name';
}
