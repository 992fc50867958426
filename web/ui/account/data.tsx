import { Button } from '@mantine/core';
import { callAuth, download } from '../api.ts';
import { commonTexts } from '../common-texts.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Section } from '../parts/screen.tsx';
import { saveFile } from '../save-file.ts';
import { useAccount, useChangeOfPerson } from '../session/session.ts';
import { useTexts } from '../texts.ts';
import { useAccountChange } from './queries.ts';
import { accountTexts } from './texts.ts';

/** An export of everything that the server stores about the person. */
export function Export() {
  const t = useTexts(accountTexts);
  const save = useAccountChange(async () => {
    saveFile(await download('/api/auth/export'), 'parley-data.json');
  });
  return (
    <Section title={t.data} lead={t.dataLead}>
      <div>
        <Button variant="default" loading={save.isPending} onClick={() => save.mutate(undefined)}>
          {t.export}
        </Button>
      </div>
    </Section>
  );
}

export function Deletion() {
  const t = { ...useTexts(commonTexts), ...useTexts(accountTexts) };
  const { email } = useAccount();
  const changePerson = useChangeOfPerson();
  const end = useAccountChange(() => callAuth('POST /account/delete', { body: { email } }), {
    done: t.deleted,
    onSuccess: () => changePerson(null),
  });
  return (
    <Section title={t.deletion} lead={t.deletionLead}>
      <div>
        <ConfirmButton
          color="red"
          variant="light"
          label={t.deletion}
          title={t.deletion}
          typed={{ label: t.typeEmail(email), word: email }}
          loading={end.isPending}
          onConfirm={() => end.mutate(undefined)}
        >
          {t.deletionText}
        </ConfirmButton>
      </div>
    </Section>
  );
}
