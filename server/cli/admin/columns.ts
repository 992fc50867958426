import { UsageError } from '../../../sdk/cli/kit.ts';
import type { CommandDeps } from '../command.ts';

/** Rows as a table for a terminal. */
export function toColumns(rows: string[][]): string {
  // There may be more rows than a call has room for arguments.
  const widths =
    rows[0]?.map((_, i) => rows.reduce((most, row) => Math.max(most, row[i]?.length ?? 0), 0)) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Text by people must not move the cursor of the operator's terminal. */
export function printable(text: string): string {
  return text.replace(/[[\p{C}\p{Zl}\p{Zp}]--[\u200c\u200d]]/gv, '�');
}

/** A moment as programs read it, too: UTC, ISO 8601. */
export function toTime(at: number): string {
  return new Date(at).toISOString();
}

/** The option of commands that need a reason. */
export const REASON = { reason: "recorded in the operators' trail (required)" };

export function requireReason({ reason = '' }: Record<string, string>): string {
  if (reason.trim() === '') throw new UsageError('--reason is required');
  return reason;
}

/** A password that nobody has chosen. */
export function makePassword({ random }: Pick<CommandDeps, 'random'>): string {
  return random.bytes(15).toString('base64url');
}

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
