import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CreateApiKey } from '#contract/applications.ts';
import { LIMITS } from '#contract/limits.ts';
import { KEY_SCOPES, type Scope } from '#contract/scopes.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { CancelOr, Form } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';
import { scopeTexts } from '../oauth/texts.ts';
import { credentialsTexts } from './texts.ts';

/** Name and scopes of a key. */
export function KeyForm({
  title,
  submit,
  name,
  scopes,
  onClose,
  onSubmit,
}: {
  title: string;
  submit: string;
  name: string;
  scopes: readonly Scope[];
  onClose: () => void;
  onSubmit: (key: CreateApiKey) => void;
}) {
  const t = useTexts(credentialsTexts);
  const about = useTexts(scopeTexts);
  const [chosen, setChosen] = useState<string[]>([...scopes]);
  return (
    <Dialog opened onClose={onClose} title={title} centered>
      <Form
        onSubmit={(fields) => {
          onSubmit({ name: String(fields.get('name')), scopes: chosen as Scope[] });
          onClose();
        }}
      >
        <Stack>
          <TextInput
            name="name"
            label={t.keyName}
            description={t.keyNameHint}
            defaultValue={name}
            maxLength={LIMITS.apiKeyNameLength}
            pattern=".*\S.*"
            autoComplete="off"
            required
            data-autofocus
          />
          <Checkbox.Group label={t.scopes} value={chosen} onChange={setChosen}>
            <Stack gap={6} mt={6}>
              {KEY_SCOPES.map((scope) => (
                <Checkbox key={scope} value={scope} label={scope} description={about[scope]} />
              ))}
            </Stack>
          </Checkbox.Group>
          <CancelOr onCancel={onClose} disabled={chosen.length === 0}>
            {submit}
          </CancelOr>
        </Stack>
      </Form>
    </Dialog>
  );
}
