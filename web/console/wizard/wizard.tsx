import { Stepper } from '@mantine/core';
import { useState } from 'react';
import type { NewApplication } from '#contract/applications.ts';
import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { BotStep } from './bot-step.tsx';
import { FirstEventStep } from './first-event-step.tsx';
import { NameStep } from './name-step.tsx';
import { SecretsStep } from './secrets-step.tsx';
import { wizardTexts } from './texts.ts';
import { WebhookStep } from './webhook-step.tsx';

/** From a name to the first event that arrives, and the answer to it. */
export function Component() {
  const t = useTexts(wizardTexts);
  const [step, setStep] = useState(0);
  const [made, setMade] = useState<NewApplication>();
  const onward = () => setStep((current) => current + 1);
  return (
    <Screen title={t.title} size="md" isCentred>
      <Stepper active={step} size="sm" iconSize={30} wrap allowNextStepsSelect={false}>
        <Stepper.Step label={t.stepName} allowStepSelect={false}>
          <NameStep
            onMade={(application) => {
              setMade(application);
              onward();
            }}
          />
        </Stepper.Step>
        <Stepper.Step label={t.stepBot} allowStepSelect={false}>
          {made && <BotStep appId={made.appId} onDone={onward} />}
        </Stepper.Step>
        <Stepper.Step label={t.stepSecrets} allowStepSelect={false}>
          {made && <SecretsStep made={made} onDone={onward} />}
        </Stepper.Step>
        <Stepper.Step label={t.stepWebhook} allowStepSelect={false}>
          {made && <WebhookStep appId={made.appId} onDone={onward} />}
        </Stepper.Step>
        <Stepper.Step label={t.stepFirst} allowStepSelect={false}>
          {made && <FirstEventStep made={made} />}
        </Stepper.Step>
      </Stepper>
    </Screen>
  );
}
