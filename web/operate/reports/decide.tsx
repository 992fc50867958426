import { Group } from '@mantine/core';
import type { DecideReport, OperatedReport, ReportedPerson } from '#contract/operate/reports.ts';
import { callOperate } from '../../ui/api.ts';
import { useChangeOf } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ReasonButton } from '../parts/reason-button.tsx';
import { readSuspensionEnd, SuspensionDays } from '../parts/suspension-days.tsx';

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
  const t = useTexts();
  const change = useChangeOf(
    [['operate']],
    (given: DecideReport) =>
      callOperate('POST /reports/:reportId/decision', { params: { reportId }, body: given }),
    { done: t('operate.report.done') },
  );
  const loading = change.isPending;
  const isAbleToAct = reported !== undefined && !reported.isDeleted;
  const isBot = reported?.appId !== undefined;
  const removal = msgIds.length === 0 ? {} : { msgIds: [...msgIds] };
  return (
    <Section title={t('operate.report.decide')} lead={t('operate.report.decideLead')}>
      <Group>
        <ConfirmButton
          label={t('operate.report.nothing')}
          title={t('operate.report.nothing')}
          variant="default"
          loading={loading}
          onConfirm={() => change.mutate({ decision: 'nothing' })}
        >
          {t('operate.report.nothingText')}
        </ConfirmButton>
        {isAbleToAct && (
          <ReasonButton
            label={t('operate.report.warn')}
            title={t('operate.report.warnTitle')}
            variant="default"
            loading={loading}
            onGiven={(reason) => change.mutate({ decision: 'warned', reason })}
          >
            {t('operate.report.warnText')}
          </ReasonButton>
        )}
        <ReasonButton
          label={t('operate.report.remove')}
          title={t('operate.report.removeTitle')}
          color="red"
          loading={loading}
          disabled={msgIds.length === 0}
          onGiven={(reason) => change.mutate({ decision: 'removed', reason, ...removal })}
        >
          {t('operate.report.removeText', { count: msgIds.length })}
        </ReasonButton>
        {isAbleToAct && (
          <ReasonButton
            label={t('operate.report.suspend')}
            title={t('operate.report.suspendTitle')}
            color="red"
            loading={loading}
            more={isBot ? undefined : <SuspensionDays />}
            onGiven={(reason, fields) =>
              change.mutate({ decision: 'suspended', reason, ...removal, ...readSuspensionEnd(fields) })
            }
          >
            {isBot ? t('operate.report.suspendBotText') : t('operate.report.suspendText')}{' '}
            {msgIds.length > 0 && t('operate.report.alsoRemoves', { count: msgIds.length })}
          </ReasonButton>
        )}
      </Group>
    </Section>
  );
}
