/** The pattern of `lower(column) like …` for what begins with a text, whatever the case of its letters. */
export function beginsWith(text: string): string {
  return `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}
