import type { ServerHealth } from '#contract/operate/health.ts';
import type { Translate } from '#contract/texts.ts';

/** How many checks found something, and the sentence that says so. */
export function countFindings(t: Translate, findings: ServerHealth['findings']) {
  const count = (wanted: string) => findings.filter(({ state }) => state === wanted).length;
  const [faults, warnings] = [count('fault'), count('warning')];
  const summary =
    faults + warnings === 0
      ? t('operate.health.allWell')
      : `${t('operate.health.faults', { count: faults })}, ${t('operate.health.warnings', { count: warnings })}`;
  return { faults, warnings, summary };
}
