/** The pattern of `lower(column) like lower(…)` for a case-insensitive prefix search: PostgreSQL alone knows its lower case. */
export function beginsWith(text: string): string {
  return `${text.replace(/[\\%_]/g, '\\$&')}%`;
}
