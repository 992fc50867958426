import { locale } from '../../ui/times.ts';

/** The size of a file: small ones in kilobytes. */
export function fileSize(bytes: number): string {
  if (bytes >= 1024 * 1024) return megabytes(bytes);
  return new Intl.NumberFormat(locale(), { style: 'unit', unit: 'kilobyte' }).format(Math.ceil(bytes / 1024));
}

/** A size in readable units. */
export function megabytes(bytes: number): string {
  const rounded = Math.ceil((bytes / 1024 / 1024) * 10) / 10;
  return new Intl.NumberFormat(locale(), { style: 'unit', unit: 'megabyte' }).format(rounded);
}
