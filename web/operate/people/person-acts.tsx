import { useNavigate } from 'react-router';
import type { OperatedPerson } from '#contract/operate/people.ts';
import { callOperate } from '../../ui/api.ts';
import { useChangeOf } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ReasonButton } from '../parts/reason-button.tsx';
import { readSuspensionEnd, SuspensionDays } from '../parts/suspension-days.tsx';

/** The actions that change a person's status. */
export function PersonActs({ person: { accountId, suspension } }: { person: OperatedPerson }) {
  const t = useTexts();
  const navigate = useNavigate();
  const changed = [['operate']];
  const suspend = useChangeOf(
    changed,
    (given: { reason: string; until?: number }) =>
      callOperate('POST /people/:accountId/suspension', { params: { accountId }, body: given }),
    { done: t('operate.people.suspended') },
  );
  const lift = useChangeOf(
    changed,
    (reason: string) =>
      callOperate('DELETE /people/:accountId/suspension', { params: { accountId }, body: { reason } }),
    {
      done: t('operate.people.lifted'),
    },
  );
  const signOut = useChangeOf(
    changed,
    () => callOperate('DELETE /people/:accountId/sessions', { params: { accountId } }),
    { done: t('operate.people.signedOut') },
  );
  const remove = useChangeOf(
    [['operate', 'people']],
    (reason: string) => callOperate('DELETE /people/:accountId', { params: { accountId }, body: { reason } }),
    {
      done: t('operate.people.deleted'),
      onSuccess: () => void navigate('/people', { replace: true }),
    },
  );
  return (
    <>
      {suspension ? (
        <ReasonButton
          label={t('operate.people.lift')}
          title={t('operate.people.liftTitle')}
          color="teal"
          loading={lift.isPending}
          onGiven={(reason) => lift.mutate(reason)}
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
          onGiven={(reason, fields) => suspend.mutate({ reason, ...readSuspensionEnd(fields) })}
        >
          {t('operate.people.suspendText')}
        </ReasonButton>
      )}
      <ConfirmButton
        label={t('operate.people.signOut')}
        title={t('operate.people.signOut')}
        variant="default"
        loading={signOut.isPending}
        onConfirm={() => signOut.mutate(undefined)}
      >
        {t('operate.people.signOutText')}
      </ConfirmButton>
      <ReasonButton
        label={t('operate.people.delete')}
        title={t('operate.people.deleteTitle')}
        color="red"
        loading={remove.isPending}
        onGiven={(reason) => remove.mutate(reason)}
      >
        {t('operate.people.deleteText')}
      </ReasonButton>
    </>
  );
}
