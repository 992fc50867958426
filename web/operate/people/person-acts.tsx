import { useNavigate } from 'react-router';
import type { OperatedPerson } from '#contract/operate/people.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useOperateChange } from '../parts/queries.ts';
import { ReasonButton } from '../parts/reason-button.tsx';
import { readSuspensionEnd, SuspensionDays } from '../parts/suspension-days.tsx';

/** The actions that change a person's status. */
export function PersonActs({ person: { accountId, suspension } }: { person: OperatedPerson }) {
  const t = useTexts();
  const navigate = useNavigate();
  const suspend = useOperateChange('POST /people/:accountId/suspension', {
    done: t('operate.people.suspended'),
  });
  const lift = useOperateChange('DELETE /people/:accountId/suspension', {
    done: t('operate.people.lifted'),
  });
  const signOut = useOperateChange('DELETE /people/:accountId/sessions', {
    done: t('operate.people.signedOut'),
  });
  const remove = useOperateChange('DELETE /people/:accountId', {
    done: t('operate.people.deleted'),
    onSuccess: () => void navigate('/people', { replace: true }),
  });
  return (
    <>
      {suspension ? (
        <ReasonButton
          label={t('operate.people.lift')}
          title={t('operate.people.liftTitle')}
          color="teal"
          loading={lift.isPending}
          onGiven={(reason) => lift.mutate({ params: { accountId }, body: { reason } })}
        >
          {t('operate.people.liftText')}
        </ReasonButton>
      ) : (
        <ReasonButton
          label={t('operate.people.suspend')}
          title={t('operate.people.suspendTitle')}
          color="red"
          loading={suspend.isPending}
          more={<SuspensionDays />}
          onGiven={(reason, fields) =>
            suspend.mutate({ params: { accountId }, body: { reason, ...readSuspensionEnd(fields) } })
          }
        >
          {t('operate.people.suspendText')}
        </ReasonButton>
      )}
      <ConfirmButton
        label={t('operate.people.signOut')}
        title={t('operate.people.signOut')}
        variant="default"
        loading={signOut.isPending}
        onConfirm={() => signOut.mutate({ params: { accountId } })}
      >
        {t('operate.people.signOutText')}
      </ConfirmButton>
      <ReasonButton
        label={t('operate.people.delete')}
        title={t('operate.people.deleteTitle')}
        color="red"
        loading={remove.isPending}
        onGiven={(reason) => remove.mutate({ params: { accountId }, body: { reason } })}
      >
        {t('operate.people.deleteText')}
      </ReasonButton>
    </>
  );
}
