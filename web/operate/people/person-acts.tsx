import { useNavigate } from 'react-router';
import type { OperatedPerson } from '#contract/operate/people.ts';
import { callOperate } from '../../ui/api.ts';
import { useChangeOf } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ReasonButton } from '../parts/reason-button.tsx';
import { readSuspensionEnd, SuspensionDays } from '../parts/suspension-days.tsx';
import { peopleTexts } from './texts.ts';

/** The actions that change a person's status. */
export function PersonActs({ person: { accountId, suspension } }: { person: OperatedPerson }) {
  const t = useTexts(peopleTexts);
  const navigate = useNavigate();
  const changed = [['operate']];
  const suspend = useChangeOf(
    changed,
    (given: { reason: string; until?: number }) =>
      callOperate('POST /people/:accountId/suspension', { params: { accountId }, body: given }),
    { done: t.suspended },
  );
  const lift = useChangeOf(
    changed,
    (reason: string) =>
      callOperate('DELETE /people/:accountId/suspension', { params: { accountId }, body: { reason } }),
    {
      done: t.lifted,
    },
  );
  const signOut = useChangeOf(
    changed,
    () => callOperate('DELETE /people/:accountId/sessions', { params: { accountId } }),
    { done: t.signedOut },
  );
  const remove = useChangeOf(
    [['operate', 'people']],
    (reason: string) => callOperate('DELETE /people/:accountId', { params: { accountId }, body: { reason } }),
    {
      done: t.deleted,
      onSuccess: () => void navigate('/people', { replace: true }),
    },
  );
  return (
    <>
      {suspension ? (
        <ReasonButton
          label={t.lift}
          title={t.liftTitle}
          color="teal"
          loading={lift.isPending}
          onGiven={(reason) => lift.mutate(reason)}
        >
          {t.liftText}
        </ReasonButton>
      ) : (
        <ReasonButton
          label={t.suspend}
          title={t.suspendTitle}
          color="red"
          loading={suspend.isPending}
          more={<SuspensionDays />}
          onGiven={(reason, fields) => suspend.mutate({ reason, ...readSuspensionEnd(fields) })}
        >
          {t.suspendText}
        </ReasonButton>
      )}
      <ConfirmButton
        label={t.signOut}
        title={t.signOut}
        variant="default"
        loading={signOut.isPending}
        onConfirm={() => signOut.mutate(undefined)}
      >
        {t.signOutText}
      </ConfirmButton>
      <ReasonButton
        label={t.delete}
        title={t.deleteTitle}
        color="red"
        loading={remove.isPending}
        onGiven={(reason) => remove.mutate(reason)}
      >
        {t.deleteText}
      </ReasonButton>
    </>
  );
}
