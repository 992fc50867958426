import { locale } from '../../ui/times.ts';

/** A size in readable units. */
export function megabytes(bytes: number): string {
  const rounded = Math.ceil((bytes / 1024 / 1024) * 10) / 10;
  return new Intl.NumberFormat(locale(), { style: 'unit', unit: 'megabyte' }).format(rounded);
}
