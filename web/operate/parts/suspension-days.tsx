import { NumberInput } from '@mantine/core';
import { useTexts } from '../../ui/texts.ts';

const DAY_MS = 86_400_000;

/** The form field for the length of a suspension. */
export function SuspensionDays() {
  const t = useTexts();
  return (
    <NumberInput name="days" label={t('operate.common.days')} min={1} max={99_999} allowDecimal={false} />
  );
}

/** The end of the suspension; none if it lasts until it is lifted. */
export function readSuspensionEnd(fields: FormData): { until?: number } {
  const days = Number(fields.get('days'));
  return days > 0 ? { until: Date.now() + days * DAY_MS } : {};
}
