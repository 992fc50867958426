import { UsageError } from '../../../sdk/cli/kit.ts';
import type { CommandDeps } from '../command.ts';

const DAY_MS = 86_400_000;

/** The end of a suspension for so many days; none where it lasts until it is lifted. */
export function readDays(
  { clock }: Pick<CommandDeps, 'clock'>,
  days: string | undefined,
): number | undefined {
  if (days === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(days)) throw new UsageError('--days must be a whole number from 1 to 99999');
  return clock.now() + Number(days) * DAY_MS;
}
