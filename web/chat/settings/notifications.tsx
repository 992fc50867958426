import { Alert, Switch } from '@mantine/core';
import { useState } from 'react';
import { tell } from '../../ui/parts/faults.tsx';
import { useTexts } from '../../ui/texts.ts';
import { askToNotify, isWanted, mayNotify, setWanted } from '../notifications/permission.ts';
import { Page } from '../parts/page.tsx';
import { notificationTexts, settingsTexts } from './texts.ts';

/** Whether this browser tells of new messages. */
export function Component() {
  const t = { ...useTexts(settingsTexts), ...useTexts(notificationTexts) };
  const [state, setState] = useState(mayNotify);
  const [isOn, setOn] = useState(() => isWanted() && mayNotify() === 'granted');
  const change = async (isChosen: boolean) => {
    const answer = isChosen ? await askToNotify() : state;
    const isNow = isChosen && answer === 'granted';
    setState(answer);
    setOn(isNow);
    setWanted(isNow);
    if (isNow) tell(t.granted);
  };
  return (
    <Page title={t.notifications} lead={t.lead} back="/settings">
      <Switch
        label={t.on}
        checked={isOn}
        disabled={state === 'unsupported'}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      {(state === 'denied' || state === 'unsupported') && (
        <Alert color="gray" mt="md">
          {t[state]}
        </Alert>
      )}
    </Page>
  );
}
