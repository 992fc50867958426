import { callConsole } from '../../ui/api.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { tell } from '../../ui/parts/faults.tsx';
import { useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { useApplication } from '../application/layout.tsx';
import { useChange } from '../application/queries.ts';
import { eventsTexts } from './texts.ts';

/** Redelivers failed events: all in the log, or those since the filtered time. */
export function Recover({ since }: { since: string | undefined }) {
  const t = useTexts(eventsTexts);
  const { appId } = useApplication();
  const recover = useChange(
    appId,
    () =>
      callConsole('POST /applications/:appId/events/recover', {
        params: { appId },
        body: { since: Number(since ?? 0) },
      }),
    {
      onSuccess: ({ recovered, hasMore }) =>
        tell(hasMore ? t.recoveredSome(recovered) : t.recovered(recovered)),
    },
  );
  return (
    <ConfirmButton
      variant="default"
      color="parley"
      label={t.recover}
      title={t.recoverTitle}
      loading={recover.isPending}
      onConfirm={() => recover.mutate(undefined)}
    >
      {since === undefined ? t.recoverText : t.recoverSinceText(fullTime(Number(since)))}
    </ConfirmButton>
  );
}
