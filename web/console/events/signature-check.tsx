import { Alert, Button, List, PasswordInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { callConsole } from '../../ui/api.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { Form } from '../../ui/parts/form.tsx';
import { useServerWords } from '../../ui/server-words.ts';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { eventsTexts, partTexts } from './texts.ts';

/** Finds out what is wrong with a signed request, for receivers that refuse valid ones. */
export function SignatureCheck() {
  const t = useTexts(eventsTexts);
  const inOwnWords = useServerWords();
  const parts = useTexts(partTexts);
  const { appId } = useApplication();
  const check = useMutation({
    mutationFn: (form: FormData) => {
      const secret = String(form.get('secret'));
      return callConsole('POST /applications/:appId/webhook/check-signature', {
        params: { appId },
        body: {
          header: String(form.get('header')),
          // Forms convert LF to CRLF; the signature covers the original body.
          body: String(form.get('body')).replaceAll('\r\n', '\n'),
          ...(secret && { secret }),
        },
      });
    },
    onError: showError,
  });
  return (
    <Form onSubmit={(fields) => check.mutate(fields)}>
      <Stack maw={640}>
        <Text size="sm" c="dimmed">
          {t.checkLead}
        </Text>
        <TextInput name="header" label={t.header} placeholder="t=1732172400,v1=…" required />
        <Textarea name="body" label={t.body} autosize minRows={4} maxRows={16} required />
        <PasswordInput name="secret" label={t.secret} description={t.secretHint} autoComplete="off" />
        <div>
          <Button type="submit" variant="light" loading={check.isPending}>
            {t.check}
          </Button>
        </div>
        {check.data?.isValid && (
          <Alert color="teal" title={t.signatureValid} role="status">
            {t.signatureValidHint}
          </Alert>
        )}
        {check.data && !check.data.isValid && (
          <Alert color="red" role="status">
            <List size="sm">
              {check.data.faults.map(({ part, ...finding }) => (
                <List.Item key={part + finding.message}>
                  <b>{parts[part]}</b>: {inOwnWords(finding)}
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
      </Stack>
    </Form>
  );
}
