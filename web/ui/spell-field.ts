const ABBREVIATIONS = /\b(id|uri|url)\b/g;

/** The name of a field in words: `webhookUrl` becomes "webhook URL", `commands.0.description` "commands 1 description". */
export function spellField(name: string): string {
  return name
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part))
    .join(' ')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(ABBREVIATIONS, (word) => word.toUpperCase());
}
