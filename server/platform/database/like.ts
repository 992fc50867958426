/** The pattern of `lower(column) like …` for a case-insensitive prefix search. */
export function beginsWith(text: string): string {
  return `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}
