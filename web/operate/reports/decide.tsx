import { Group } from '@mantine/core';
import type { DecideReport, OperatedReport, ReportedPerson } from '#contract/operate/reports.ts';
import { callOperate } from '../../ui/api.ts';
import { useChangeOf } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ReasonButton } from '../parts/reason-button.tsx';
import { readSuspensionEnd, SuspensionDays } from '../parts/suspension-days.tsx';
import { reportTexts } from './texts.ts';

/** The decisions about a report. */
export function Decide({
  report: { reportId },
  reported,
  msgIds,
}: {
  report: OperatedReport;
  reported: ReportedPerson | undefined;
  /** Messages selected for removal. */
  msgIds: readonly string[];
}) {
  const t = useTexts(reportTexts);
  const change = useChangeOf(
    [['operate']],
    (given: DecideReport) =>
      callOperate('POST /reports/:reportId/decision', { params: { reportId }, body: given }),
    { done: t.done },
  );
  const loading = change.isPending;
  const isAbleToAct = reported !== undefined && !reported.isDeleted;
  const isBot = reported?.appId !== undefined;
  const removal = msgIds.length === 0 ? {} : { msgIds: [...msgIds] };
  return (
    <Section title={t.decide} lead={t.decideLead}>
      <Group>
        <ConfirmButton
          label={t.nothing}
          title={t.nothing}
          variant="default"
          loading={loading}
          onConfirm={() => change.mutate({ decision: 'nothing' })}
        >
          {t.nothingText}
        </ConfirmButton>
        {isAbleToAct && (
          <ReasonButton
            label={t.warn}
            title={t.warnTitle}
            variant="default"
            loading={loading}
            onGiven={(reason) => change.mutate({ decision: 'warned', reason })}
          >
            {t.warnText}
          </ReasonButton>
        )}
        <ReasonButton
          label={t.remove}
          title={t.removeTitle}
          color="red"
          loading={loading}
          disabled={msgIds.length === 0}
          onGiven={(reason) => change.mutate({ decision: 'removed', reason, ...removal })}
        >
          {t.removeText(msgIds.length)}
        </ReasonButton>
        {isAbleToAct && (
          <ReasonButton
            label={t.suspend}
            title={t.suspendTitle}
            color="red"
            loading={loading}
            more={isBot ? undefined : <SuspensionDays />}
            onGiven={(reason, fields) =>
              change.mutate({ decision: 'suspended', reason, ...removal, ...readSuspensionEnd(fields) })
            }
          >
            {isBot ? t.suspendBotText : t.suspendText} {msgIds.length > 0 && t.alsoRemoves(msgIds.length)}
          </ReasonButton>
        )}
      </Group>
    </Section>
  );
}
