import { Button } from '@mantine/core';
import { callAuth, download } from '../api.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Section } from '../parts/screen.tsx';
import { saveFile } from '../save-file.ts';
import { useAccount, useChangeOfPerson } from '../session/session.ts';
import { useTexts } from '../texts.ts';
import { useAccountChange } from './queries.ts';

/** An export of everything that the server stores about the person. */
export function Export() {
  const t = useTexts();
  const save = useAccountChange(async () => {
    saveFile(await download('/api/auth/export'), 'parley-data.json');
  });
  return (
    <Section title={t('ui.account.data')} lead={t('ui.account.dataLead')}>
      <div>
        <Button variant="default" loading={save.isPending} onClick={() => save.mutate(undefined)}>
          {t('ui.account.export')}
        </Button>
      </div>
    </Section>
  );
}

export function Deletion() {
  const t = useTexts();
  const { email } = useAccount();
  const changePerson = useChangeOfPerson();
  const end = useAccountChange(() => callAuth('POST /account/delete', { body: { email } }), {
    done: t('ui.account.deleted'),
    onSuccess: () => changePerson(null),
  });
  return (
    <Section title={t('ui.account.deletion')} lead={t('ui.account.deletionLead')}>
      <div>
        <ConfirmButton
          color="red"
          variant="light"
          label={t('ui.account.deletion')}
          title={t('ui.account.deletion')}
          typed={{ label: t('ui.account.typeEmail', { email }), word: email }}
          loading={end.isPending}
          onConfirm={() => end.mutate(undefined)}
        >
          {t('ui.account.deletionText')}
        </ConfirmButton>
      </div>
    </Section>
  );
}
